// A citation opens its evidence beside the report. Without this script the same links lead to the same places.
(() => {
  "use strict";
  const panel = document.querySelector(".panel");
  const close = panel.querySelector(".close");
  let opened = null;

  const find = (anchor) => document.getElementById(anchor);
  const cites = () => [...document.querySelectorAll("a.cite")];

  const light = (on) => {
    if (!opened) return;
    opened.cite.closest(".point").classList.toggle("is-lit", on);
    opened.evidence.classList.toggle("is-open", on);
    if (on) opened.cite.setAttribute("aria-current", "true");
    else opened.cite.removeAttribute("aria-current");
  };

  const shut = () => {
    if (!opened) return;
    light(false);
    opened.cite.focus({ preventScroll: true });
    opened = null;
    panel.classList.remove("is-open");
    close.hidden = true;
    history.replaceState(null, "", location.pathname + location.search);
  };

  const open = (cite, toEvidence) => {
    const evidence = find(cite.hash.slice(1));
    if (!evidence) return;
    light(false);
    opened = { cite, evidence };
    light(true);
    panel.classList.add("is-open");
    panel.scrollTop = 0;
    close.hidden = false;
    history.replaceState(null, "", cite.hash);
    cite.closest(".point").scrollIntoView({ block: "nearest" });
    (toEvidence ? evidence : cite).focus({ preventScroll: true });
  };

  const step = (by) => {
    const all = cites();
    const next = all[all.indexOf(opened.cite) + by];
    if (next) open(next, false);
  };

  document.documentElement.classList.remove("no-script");
  close.addEventListener("click", shut);
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.matches("a.cite")) {
      event.preventDefault();
      if (opened && opened.cite === link && event.detail) shut();
      else open(link, event.detail === 0);
    } else if (link.matches("a.back")) {
      event.preventDefault();
      const point = find(link.hash.slice(1));
      shut();
      point.scrollIntoView({ block: "nearest" });
    }
  });
  document.addEventListener("keydown", (event) => {
    if (!opened || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape") shut();
    else if (event.key === "ArrowRight") step(1);
    else if (event.key === "ArrowLeft") step(-1);
    else return;
    event.preventDefault();
  });
  const asked = location.hash && cites().find((cite) => cite.hash === location.hash);
  if (asked) open(asked, false);
})();
