// What every page has: words for scripts, the switch of language, menus that close, and lines that say what went wrong.

export const root = document.documentElement.dataset.root;

/** A sentence of the page's own, in its language, with its variables filled in. */
export const word = (name, values = {}) => {
  const text = document.getElementById("words").content.querySelector(`[data-word="${name}"]`).textContent;
  return text.replace(/\{(\w+)\}/g, (_, key) => values[key]);
};

/** Shows what went wrong, until it is told that nothing is wrong any more. */
export const complain = (message, id = "trouble") => {
  const line = document.getElementById(id) ?? document.getElementById("trouble");
  line.textContent = message;
  line.hidden = !message;
};

/** Says something to those who listen, and to those who look. */
export const tell = (message) => { document.getElementById("told").textContent = message; };

const shut = (except) => {
  for (const menu of document.querySelectorAll("details.menu[open], details.chip[open]"))
    if (!menu.contains(except)) menu.open = false;
};

document.addEventListener("click", (event) => {
  const language = event.target.closest("[data-language]")?.dataset.language;
  if (language) {
    document.cookie = `leadline_language=${language}; path=${root || "/"}; max-age=31536000; samesite=strict`;
    location.reload();
  }
  shut(event.target);
  if (event.target.closest("details.menu > div")) event.target.closest("details.menu").open = false;
});
document.addEventListener("keydown", (event) => {
  const open = event.key === "Escape" && event.target.closest?.("details[open]");
  if (!open) return;
  open.open = false;
  open.querySelector("summary").focus();
  event.stopImmediatePropagation();
}, true);
