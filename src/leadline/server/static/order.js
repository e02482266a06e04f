// The order of the plan, by drag on a knot and by Alt with the arrow keys.
import { move, send } from "./plan.js";

const PAUSE = 600; // ms without a key until the new order is sent: several steps are one change

const list = () => document.getElementById("todos");
const order = () => [...list().children].map((item) => item.id).join();
let timer = 0;

const hold = () => { list().dataset.own = ""; };
const release = () => { delete list().dataset.own; };

function finish(before) {
  release();
  if (order() !== before) send();
}

function drag(item) {
  const before = order();
  hold();
  item.classList.add("is-dragged");
  const follow = (event) => {
    const below = [...list().children].find((other) => {
      const box = other.getBoundingClientRect();
      return other !== item && event.clientY > box.top && event.clientY < box.bottom;
    });
    if (!below) return;
    const box = below.getBoundingClientRect();
    if (event.clientY < box.top + box.height / 2) below.before(item);
    else below.after(item);
  };
  const stop = () => {
    item.classList.remove("is-dragged");
    over.abort();
    finish(before);
  };
  const over = new AbortController(); // no pointer capture: an element that is moved in the page loses it
  document.addEventListener("pointermove", follow, over);
  document.addEventListener("pointerup", stop, over);
  document.addEventListener("pointercancel", stop, over);
}

/** Attends to knots and keys. */
export function arrange() {
  document.addEventListener("pointerdown", (event) => {
    if (!event.target.matches(".grip") || event.button) return;
    event.preventDefault();
    drag(event.target.closest("li"));
  });
  document.addEventListener("keydown", (event) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const item = event.target.closest?.("#todos > li:not(.is-editing)");
    if (!by || !event.altKey || !item) return;
    event.preventDefault();
    const focused = document.activeElement;
    if (!move(item, by)) return;
    hold();
    focused.focus();
    clearTimeout(timer);
    timer = setTimeout(() => {
      release();
      send();
    }, PAUSE);
  });
}
