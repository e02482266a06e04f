// The page of a run: follows it while somebody looks on, and carries out what is clicked.
import { attempt, call } from "./api.js";
import { attend } from "./ask.js";
import { keepFresh, refresh, visit } from "./fresh.js";
import { arrange } from "./order.js";
import { steer } from "./plan.js";
import { complain, root, tell, word } from "./shell.js";
import { follow } from "./stream.js";

const desk = () => document.getElementById("desk");
const run = `/runs/${desk().dataset.run}`;
const isLive = () => desk()?.dataset.live !== undefined;
const READING = 120; // px: further down somebody is reading
let close = null;
let opening = false;

/** Holds a stream exactly while there is something to follow and somebody who looks on. */
async function adjust() {
  const wanted = isLive() && document.visibilityState === "visible";
  if (!wanted && close) {
    close();
    close = null;
  }
  if (!wanted || close || opening) return;
  opening = true;
  close = await follow(`${root}/api/v1${run}/events`, desk().dataset.seq, refresh, () => {
    close = null;
    refresh();
  });
  opening = false;
  if (close && document.visibilityState !== "visible") adjust();
}

/** The report does not take the place of findings that somebody reads: it waits until it is asked for. */
function hold(next) {
  const leaves = document.getElementById("found") && isLive() && next.getElementById("references");
  return leaves && (scrollY > READING || document.querySelector(".evidence.is-open")) ? "?view=findings" : null;
}

function tick() {
  const clock = document.getElementById("elapsed");
  if (clock?.dataset.runs === undefined) return;
  const seconds = Number(clock.dataset.seconds) + 1;
  clock.dataset.seconds = seconds;
  clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

async function change(button) {
  const { do: what, id } = button.dataset;
  const body = what === "retry" ? { todos: id ? [Number(id)] : [] } : {};
  await attempt(button, () => call("POST", `${run}/${what}`, body));
  await refresh();
}

async function copy(url) {
  try {
    const text = fetch(url).then((answer) => answer.blob()).then((blob) => new Blob([blob], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": text })]);
    tell(word("copied"));
  } catch (error) {
    complain(error.message);
  }
}

async function forget(button) {
  if (button.dataset.sure === undefined) {
    button.dataset.sure = "";
    button.textContent = word("delete");
  } else if (await attempt(button, () => call("DELETE", run))) location.assign(`${root}/`);
}

document.addEventListener("click", (event) => {
  const at = (selector) => event.target.closest(selector);
  const tab = at(".tabs a, [data-visit]");
  if (tab && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    visit(tab.href);
  } else if (at("[data-do]")) change(at("[data-do]"));
  else if (at("[data-copy]")) copy(at("[data-copy]").dataset.copy);
  else if (at("[data-print]")) print();
  else if (at("[data-delete]")) forget(at("[data-delete]"));
  else if (at(".plan .title a, .plan .more a") && desk().dataset.view) {
    event.preventDefault();
    const { hash } = at("a");
    visit(`${root}${run}${hash}`).then(() => document.getElementById(hash.slice(1))?.scrollIntoView());
  }
});

let form = null;
document.addEventListener("leadline:fresh", () => {
  adjust();
  const found = document.getElementById("ask");
  if (found && found !== form) attend(found);
  form = found;
});
document.addEventListener("leadline:lost", refresh);
document.addEventListener("visibilitychange", adjust);
setInterval(tick, 1000);
steer(run);
arrange();
keepFresh(() => isLive() && !close, hold);
document.dispatchEvent(new Event("leadline:fresh"));
