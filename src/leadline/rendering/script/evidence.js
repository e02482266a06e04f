// A citation opens its evidence beside the report. Without this script the same links lead to the same places.
// Where something around the panel says from where (`data-from`), evidence that the page does not hold is fetched when it is asked for.
(() => {
  "use strict";
  const panel = document.querySelector(".panel");
  const close = panel.querySelector(".close");
  let opened = null;
  let wanted = "";

  const find = (anchor) => document.getElementById(anchor);

  const from = () => panel.closest("[data-from]")?.dataset.from;

  const fetchEvidence = async (anchor) => {
    if (!from()) return null;
    const answer = await fetch(from() + anchor);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const evidence = answer.ok && document.importNode(page.querySelector(".evidence"), true);
    return evidence && (find(anchor) ?? panel.appendChild(evidence));
  };
  const cites = () => [...document.querySelectorAll("a.cite")];

  const light = (on) => {
    if (!opened) return;
    opened.cite.closest(".point").classList.toggle("is-lit", on);
    for (const evidence of panel.querySelectorAll(".evidence.is-open")) evidence.classList.remove("is-open");
    opened.evidence.classList.toggle("is-open", on);
    if (on) opened.cite.setAttribute("aria-current", "true");
    else opened.cite.removeAttribute("aria-current");
  };

  const shut = () => {
    wanted = ""; // evidence that is still on its way stays shut
    if (!opened) return;
    light(false);
    opened.cite.focus({ preventScroll: true });
    opened = null;
    panel.classList.remove("is-open");
    close.hidden = true;
    history.replaceState(history.state, "", location.pathname + location.search);
  };

  const open = async (cite, toEvidence) => {
    const anchor = cite.hash.slice(1);
    wanted = anchor;
    const lost = () => document.dispatchEvent(new Event("leadline:lost"));
    const evidence = find(anchor) ?? (await fetchEvidence(anchor).catch(lost));
    if (!evidence || wanted !== anchor) return;
    light(false);
    opened = { cite, evidence };
    light(true);
    panel.classList.add("is-open");
    panel.scrollTop = 0;
    close.hidden = false;
    history.replaceState(history.state, "", cite.hash);
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
    const said = getSelection().isCollapsed && event.target.closest(".said");
    const link = event.target.closest("a") ?? (said && said.parentElement.querySelector("a.cite"));
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
    if (!opened || event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.("input, textarea, select")) return;
    if (event.key === "Escape") shut();
    else if (event.key === "ArrowRight") step(1);
    else if (event.key === "ArrowLeft") step(-1);
    else return;
    event.preventDefault();
  });
  document.addEventListener("leadline:fresh", () => {
    for (const evidence of panel.querySelectorAll(".evidence:not(.is-open)")) if (from()) evidence.remove();
    if (!opened) return;
    opened.cite = cites().find((cite) => cite.hash === opened.cite.hash) ?? opened.cite;
    if (opened.cite.isConnected) light(true);
  });
  const asked = location.hash && cites().find((cite) => cite.hash === location.hash);
  if (asked) open(asked, false);
})();
