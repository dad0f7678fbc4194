/* Keyboard shortcuts and conveniences. Every page works without this file. */
"use strict";
(() => {
  const isTyping = (target) => target.closest("input, textarea, select, [contenteditable], dialog") !== null;
  const cards = () => [...document.querySelectorAll("[data-review]")];
  const isOpen = (card) => !card.hasAttribute("data-settled");
  /* After `g` the next key names a page, however late it comes: it never is a verdict. A click or Escape ends the waiting. */
  let awaitsPage = false;

  /* An operation's own page has one place of verdicts, wherever the focus is. */
  function alone() {
    return document.querySelector("[data-alone]");
  }

  function current() {
    return document.activeElement?.closest?.("[data-review]") ?? alone();
  }

  function move(step) {
    const all = cards();
    if (!all.length) return false;
    const at = all.indexOf(current());
    const next = all[at < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + step))];
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "start" });
    return true;
  }

  function judge(key) {
    const form = current()?.querySelector(`form[data-verdict="${key}"]`);
    if (!form) return false;
    form.requestSubmit();
    return true;
  }

  /* One key never rejects: it asks why, and the number of a reason, or words and Enter, answer. Escape closes the question. */
  function askWhy() {
    const asked = current()?.querySelector("[data-reject]");
    if (asked) asked.open = true;
    return Boolean(asked);
  }

  function answerWhy(number) {
    const button = current()?.querySelector(`[data-reject][open] [data-reason="${CSS.escape(number)}"]`);
    button?.click(); // htmx takes the name and value of a button from its click
    return Boolean(button);
  }

  function closeWhy() {
    const asked = current()?.querySelector("[data-reject][open]");
    if (asked) asked.open = false;
    return Boolean(asked);
  }

  function unfold() {
    const diff = current()?.querySelector("[data-diff]");
    if (diff) diff.open = !diff.open;
    return Boolean(diff);
  }

  function takeBack() {
    const form = (document.getElementById(last) ?? alone())?.querySelector('form[data-verdict="u"]');
    form?.requestSubmit();
    return Boolean(form);
  }

  function goTo(key) {
    const link = document.querySelector(`nav a[data-key="${CSS.escape(key)}"]`);
    if (link) link.click();
    return link !== null;
  }

  function act(key) {
    if (awaitsPage) {
      awaitsPage = key === "g";
      return goTo(key);
    }
    switch (key) {
      case "g": awaitsPage = true; return true;
      case "j": return move(1);
      case "k": return move(-1);
      case "a": return judge("a");
      case "r": return askWhy();
      case "x": return unfold();
      case "1": case "2": case "3": case "4": case "5": return answerWhy(key);
      case "Escape": return closeWhy();
      case "u": return takeBack();
      case "/": { const box = document.querySelector("[data-search]"); box?.focus(); return Boolean(box); }
      case "?": document.getElementById("help")?.showModal(); return true;
      default: return false;
    }
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event.target)) return;
    if (event.key === "Shift" || (event.repeat && "aru12345".includes(event.key))) return;
    if (act(event.key)) event.preventDefault();
  });

  for (const button of document.querySelectorAll("[data-help]")) button.hidden = false;

  /* Ids are shown by their end; a button copies the whole one. Browsers allow it on https and on this machine only. */
  if (navigator.clipboard) document.documentElement.classList.add("can-copy");

  async function copy(button) {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "Copied";
  }

  document.addEventListener("click", (event) => {
    awaitsPage = false;
    if (event.target.closest("[data-help]")) document.getElementById("help")?.showModal();
    const asked = event.target.closest("[data-copy]");
    if (asked) copy(asked).catch(() => { asked.textContent = asked.dataset.copy; });
  });

  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-submit]")) event.target.form.requestSubmit();
  });

  /* One verdict on many takes a while. Until its page comes, this one says how many still wait. */
  document.addEventListener("submit", (event) => {
    const told = event.target.closest(".bulk")?.querySelector("[data-left]");
    if (!told) return;
    if (!told.hidden) { event.preventDefault(); return; }
    told.hidden = false;
    setInterval(async () => {
      const answer = await fetch(told.dataset.left).catch(() => null);
      const left = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("waiting");
      if (left) told.querySelector("span").textContent = `${left.textContent}.`;
    }, 2000);
  });

  /* A verdict replaces its entry. The next pending entry gets the focus; after the last one, the link to more. */
  let judged = "";
  let last = "";
  document.addEventListener("htmx:beforeRequest", (event) => {
    const form = event.target.closest?.("form");
    if (form) judged = form.closest("[data-review]")?.id ?? "";
  });
  document.addEventListener("htmx:afterSettle", () => {
    const settled = judged && document.getElementById(judged);
    if (!settled) return;
    last = judged;
    judged = "";
    const all = cards();
    const after = all.slice(all.indexOf(settled));
    const onward = document.querySelector("a[rel=next], a[data-onward]");
    (after.find(isOpen) ?? all.find(isOpen) ?? onward ?? settled).focus();
  });

  document.addEventListener("htmx:responseError", (event) => {
    const status = event.detail.xhr.status;
    const main = document.getElementById("main");
    const box = document.createElement("p");
    box.className = "notice refused";
    box.setAttribute("role", "alert");
    box.textContent = `The server answered with ${status}. Load the page again.`;
    main.prepend(box);
  });
})();
