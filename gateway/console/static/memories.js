/* Sliders beside the numbers of two versions. The page works without this file: the numbers and their button are enough. */
"use strict";
(() => {
  for (const slider of document.querySelectorAll("[data-slides]")) {
    const number = document.getElementById(slider.dataset.slides);
    slider.hidden = false;
    slider.addEventListener("input", () => { number.value = slider.value; });
    number.addEventListener("input", () => { slider.value = number.value; });
    slider.addEventListener("change", () => show(slider.form));
  }

  /* On the page of a comparison the lines are replaced in place, so that the slider keeps its focus. */
  function show(form) {
    const place = document.getElementById("compared");
    if (!place) return;
    const address = `${form.getAttribute("action")}?${new URLSearchParams(new FormData(form))}`;
    history.replaceState(null, "", address);
    htmx.ajax("GET", address, { target: place, swap: "innerHTML" });
  }
})();
