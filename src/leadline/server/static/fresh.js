// Keeps the open page as the server would make it now, and says so when there is no server.
import { morph } from "./morph.js";
import { complain } from "./shell.js";

const PATIENCE = 4000; // ms until a server that says nothing is gone; with BEAT under the ten seconds in which it must be seen
const BEAT = 5000;
const SHORT_BEAT = 2000;
const REST = 200; // ms between two looks, however much happens

let last = "";
let looking = null;
let again = false;
let hurried = () => false;
let diverted = () => null;

const isSeen = () => document.visibilityState === "visible";

async function look() {
  let answer, text;
  try {
    answer = await fetch(location.href, { headers: { accept: "text/html" }, signal: AbortSignal.timeout(PATIENCE) });
    text = await answer.text();
    if (answer.status >= 500) throw new Error(text);
  } catch {
    document.getElementById("gone").hidden = false;
    return;
  }
  document.getElementById("gone").hidden = true;
  if (answer.redirected) location.reload(); // to where the token is asked for
  else if (text !== last) take(text);
  last = text;
}

function take(text) {
  const next = new DOMParser().parseFromString(text, "text/html");
  const style = (page) => page.querySelector("link[rel=stylesheet]")?.getAttribute("href");
  if (style(next) !== style(document)) location.reload(); // the server is another release now
  const other = diverted(next);
  if (other) {
    history.replaceState(null, "", other);
    again = true;
    return;
  }
  const focused = document.activeElement;
  document.title = next.title;
  morph(document.body, next.body);
  if (focused?.isConnected && focused !== document.activeElement) focused.focus({ preventScroll: true });
  document.dispatchEvent(new Event("leadline:fresh"));
}

/** Looks what the server says now; returns when the page shows it. */
export function refresh() {
  if (looking) {
    again = true;
    return looking;
  }
  looking = (async () => {
    do {
      again = false;
      await look();
      if (again) await new Promise((wake) => setTimeout(wake, REST));
    } while (again);
  })().finally(() => { looking = null; });
  return looking;
}

/** Goes to another address of the same page without loading it anew. */
export async function visit(url) {
  history.pushState(null, "", url);
  complain("");
  await refresh();
}

/**
 * Looks regularly while somebody looks on; `hurry` says when to look more often, `divert` returns another address to look at
 * when what the server says now would take away what is being read.
 */
export function keepFresh(hurry = () => false, divert = () => null) {
  hurried = hurry;
  diverted = divert;
  const beat = async () => {
    if (isSeen()) await refresh();
    const short = !document.getElementById("gone").hidden || hurried();
    setTimeout(beat, short ? SHORT_BEAT : BEAT);
  };
  setTimeout(beat, BEAT);
  document.addEventListener("visibilitychange", () => isSeen() && refresh());
  addEventListener("popstate", refresh);
  addEventListener("offline", refresh);
  addEventListener("online", refresh);
}
