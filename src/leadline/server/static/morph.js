// Makes a page that is open like one that the server has just made, and touches only what differs: nothing jumps, nothing
// that somebody types is lost. Elements with `data-own` belong to the browser and stay as they are, also those without an id
// that the server knows nothing of.

const isOwn = (node) => node.dataset?.own !== undefined;

/** Changes `live` into what `next` is. */
export function morph(live, next) {
  if (live.isEqualNode(next) || isOwn(live)) return;
  if (live.nodeName !== next.nodeName) live.replaceWith(document.importNode(next, true));
  else if (live.nodeType !== Node.ELEMENT_NODE) live.nodeValue = next.nodeValue;
  else {
    dress(live, next);
    fill(live, next);
  }
}

function dress(live, next) {
  const kept = live.nodeName === "DETAILS" ? ["open"] : [];
  for (const { name } of [...live.attributes]) if (!next.hasAttribute(name) && !kept.includes(name)) live.removeAttribute(name);
  for (const { name, value } of next.attributes) if (live.getAttribute(name) !== value) live.setAttribute(name, value);
}

function fill(live, next) {
  const known = new Map([...live.children].filter((child) => child.id).map((child) => [child.id, child]));
  let place = live.firstChild;
  for (const child of next.childNodes) {
    const match = child.id ? known.get(child.id) : place && !place.id && place.nodeName === child.nodeName ? place : null;
    if (!match) live.insertBefore(document.importNode(child, true), place);
    else {
      if (match === place) place = place.nextSibling;
      else live.insertBefore(match, place);
      morph(match, child);
    }
  }
  while (place) {
    const rest = place.nextSibling;
    if (place.id || !isOwn(place)) place.remove();
    place = rest;
  }
}
