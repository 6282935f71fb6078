// Small plots as SVG; every line is told apart by its mark and its name too, and a table stands beside each plot.
import { COLOURS, guildName, make } from "./board.js";

const MARKS = ["circle", "square", "triangle", "diamond", "cross"];
const WIDTH = 640, HEIGHT = 300, LEFT = 44, RIGHT = 150, TOP = 16, BOTTOM = 34;
const nice = (most) => { const step = [1, 2, 5, 10, 20, 25, 50, 100].find((one) => most / one <= 6) ?? 200; return { step, top: Math.max(step, Math.ceil(most / step) * step) }; };
const say = (svg, text, x, y, more = {}) => { make("text", { x, y, class: "plot-text", ...more }, svg).textContent = text; };

function mark(svg, shape, x, y, colour, size = 6) {
  const style = { fill: colour, class: "plot-mark" };
  if (shape === "circle") make("circle", { cx: x, cy: y, r: size, ...style }, svg);
  else if (shape === "square") make("rect", { x: x - size, y: y - size, width: 2 * size, height: 2 * size, ...style }, svg);
  else if (shape === "triangle") make("path", { d: `M${x},${y - size * 1.2} l${size * 1.2},${size * 2} h${-size * 2.4} Z`, ...style }, svg);
  else if (shape === "diamond") make("path", { d: `M${x},${y - size * 1.3} l${size * 1.3},${size * 1.3} l${-size * 1.3},${size * 1.3} l${-size * 1.3},${-size * 1.3} Z`, ...style }, svg);
  else make("path", { d: `M${x - size},${y - size} l${2 * size},${2 * size} M${x + size},${y - size} l${-2 * size},${2 * size}`, stroke: colour, "stroke-width": 4, fill: "none" }, svg);
}

function frame(svg, most, right = RIGHT) {
  const { step, top } = nice(most), y = (value) => HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM);
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
  svg.replaceChildren();
  for (let value = 0; value <= top; value += step) {
    make("line", { x1: LEFT, x2: WIDTH - right, y1: y(value), y2: y(value), class: "plot-grid" }, svg);
    say(svg, value, LEFT - 8, y(value) + 5, { "text-anchor": "end" });
  }
  return y;
}

function key(svg, guilds) {
  guilds.forEach((guild, at) => {
    const y = TOP + 16 + at * 26;
    mark(svg, MARKS[at % MARKS.length], WIDTH - RIGHT + 22, y, COLOURS[guild]);
    say(svg, guildName(guild), WIDTH - RIGHT + 36, y + 5);
  });
}

export function lines(svg, guilds, rows) { // rows: { label: [value per guild] }
  const labels = Object.keys(rows), most = Math.max(1, ...Object.values(rows).flat()), y = frame(svg, most);
  const x = (at) => labels.length === 1 ? (LEFT + WIDTH - RIGHT) / 2 : LEFT + 24 + at / (labels.length - 1) * (WIDTH - RIGHT - LEFT - 48);
  labels.forEach((label, at) => say(svg, label, x(at), HEIGHT - 10, { "text-anchor": "middle" }));
  guilds.forEach((guild, one) => {
    make("polyline", { points: labels.map((label, at) => `${x(at)},${y(rows[label][one])}`).join(" "), fill: "none", stroke: COLOURS[guild], "stroke-width": 3 }, svg);
    labels.forEach((label, at) => mark(svg, MARKS[one % MARKS.length], x(at), y(rows[label][one]), COLOURS[guild]));
  });
  key(svg, guilds);
}

export function bars(svg, guilds, rows) { // rows: [[name, value per guild…]]
  const most = Math.max(1, ...rows.flatMap((row) => row.slice(1))), y = frame(svg, most), group = (WIDTH - RIGHT - LEFT) / rows.length, wide = Math.min(26, group * .8 / guilds.length);
  rows.forEach(([name, ...values], at) => {
    const start = LEFT + group * (at + .5) - wide * values.length / 2;
    values.forEach((value, one) => {
      make("rect", { x: start + wide * one, y: y(value), width: wide - 2, height: Math.max(0, y(0) - y(value)), fill: COLOURS[guilds[one]], class: "plot-mark" }, svg);
      if (value) say(svg, value, start + wide * (one + .5) - 1, y(value) - 4, { "text-anchor": "middle", "font-size": 12 });
    });
    const words = name.split(" "), half = Math.ceil(words.length / 2);
    say(svg, words.slice(0, half).join(" "), LEFT + group * (at + .5), HEIGHT - 18, { "text-anchor": "middle", "font-size": 11 });
    if (words.length > 1) say(svg, words.slice(half).join(" "), LEFT + group * (at + .5), HEIGHT - 5, { "text-anchor": "middle", "font-size": 11 });
  });
  key(svg, guilds);
}

export function columns(svg, rows) { // rows: [[guild, wins, games]]
  const most = Math.max(1, ...rows.map(([, , games]) => games)), y = frame(svg, most, 20), group = (WIDTH - LEFT - 20) / rows.length;
  rows.forEach(([guild, wins, games], at) => {
    const middle = LEFT + group * (at + .5), wide = Math.min(64, group * .5);
    make("rect", { x: middle - wide / 2, y: y(games), width: wide, height: y(0) - y(games), class: "plot-outline" }, svg);
    make("rect", { x: middle - wide / 2, y: y(wins), width: wide, height: y(0) - y(wins), fill: COLOURS[guild], class: "plot-mark" }, svg);
    say(svg, `${wins} / ${games}`, middle, y(games) - 5, { "text-anchor": "middle" });
    say(svg, guildName(guild), middle, HEIGHT - 12, { "text-anchor": "middle", "font-size": 13 });
  });
}
