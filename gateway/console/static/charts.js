/* Draw the charts with uPlot. Without this file a page still has each chart's numbers as a table. */
"use strict";
(() => {
  const HEIGHT = 120;
  const drawings = new Set();

  /* Each series is drawn from zero up to the sum of itself and those below it, the highest first, so that each covers a part of the one before. */
  function pile(series) {
    const sums = [];
    for (const { values } of series) {
      const below = sums.at(-1);
      sums.push(values.map((value, day) => value + (below ? below[day] : 0)));
    }
    return sums.reverse();
  }

  function colours(figure) {
    const style = getComputedStyle(figure);
    return (name) => style.getPropertyValue(`--${name}`).trim();
  }

  function look(series, shape, colour) {
    const of = (tone) => colour(`bar-${tone}`) || colour("bar-busy");
    if (shape === "line") {
      return series.map(({ tone }) => ({ stroke: of(tone), width: 2, fill: colour("busy-soft"), points: { show: false } }));
    }
    const paths = uPlot.paths.bars({ size: [0.72, 60] });
    return [...series].reverse().map(({ tone }) => ({ fill: of(tone), width: 0, paths, points: { show: false } }));
  }

  /* The first and the last day are named and as many between as there is room for. */
  function named(days, width) {
    const step = Math.max(1, Math.ceil(days / Math.max(2, Math.floor(width / 90))));
    const places = [];
    for (let place = days - 1; place >= 0; place -= step) places.unshift(place);
    return places;
  }

  function options(asked, figure, width, say) {
    const colour = colours(figure);
    const { days, top, topLabel } = asked;
    const axis = { stroke: colour("dim"), font: "11px system-ui, sans-serif", ticks: { show: false } };
    return {
      width,
      height: HEIGHT,
      padding: [10, 16, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false }, sync: { key: "days" } },
      scales: { x: { time: false, range: [-0.5, days.length - 0.5] }, y: { range: [0, top] } },
      axes: [
        {
          ...axis, size: 20, gap: 4, grid: { show: false }, border: { show: true, stroke: colour("line"), width: 1 },
          splits: () => named(days.length, width),
          values: (_, places) => places.map((place) => (place === days.length - 1 ? "today" : days[place])),
        },
        { ...axis, size: 48, gap: 6, grid: { stroke: colour("line-soft"), width: 1 }, splits: () => [0, top], values: () => ["0", topLabel] },
      ],
      series: [{}, ...look(asked.series, asked.shape, colour)],
      hooks: { setCursor: [({ cursor }) => say(cursor.idx)] },
    };
  }

  function draw(place) {
    const asked = JSON.parse(place.dataset.chart);
    const caption = place.closest("figure").querySelector("[data-said]");
    const summary = caption.textContent;
    const say = (day) => { caption.textContent = day == null ? summary : `${asked.days[day]}: ${asked.said[day]}`; };
    const numbers = [asked.days.map((_, day) => day), ...pile(asked.series)];
    let drawn = null;
    const again = () => {
      drawn?.destroy();
      drawn = new uPlot(options(asked, place, place.clientWidth, say), numbers, place);
    };
    again();
    new ResizeObserver(() => drawn.setSize({ width: place.clientWidth, height: HEIGHT })).observe(place);
    drawings.add(again);
  }

  for (const place of document.querySelectorAll("[data-chart]")) draw(place);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { for (const again of drawings) again(); });
})();
