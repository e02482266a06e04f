// The libraries: how much each holds, new ones by drop, uploaded ones deleted.
import { attempt, call } from "./api.js";
import { receive } from "./documents.js";
import { keepFresh, refresh } from "./fresh.js";
import { word } from "./shell.js";

const known = new Map();

async function describe() {
  for (const line of document.querySelectorAll("[data-about]")) {
    const name = line.dataset.about;
    if (!known.has(name)) known.set(name, call("GET", `/libraries/${name}`).catch((error) => error));
    const library = await known.get(name);
    line.textContent = library instanceof Error ? library.message : word("holds", { count: library.documents });
  }
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-remove]");
  if (!button) return;
  if (button.dataset.sure === undefined) {
    button.dataset.sure = "";
    button.textContent = word("delete");
  } else {
    await attempt(button, () => call("DELETE", `/libraries/${button.dataset.remove}`));
    await refresh();
  }
});
document.addEventListener("leadline:fresh", describe);
receive((name) => {
  known.delete(name);
  refresh();
});
describe();
keepFresh();
