// One game of the history: plots, the map of digs, and a replay with a slider.
import { COLOURS, INITIALS, draw, guildName, make, prepare } from "./board.js";
import { $, element, showTimes } from "./page.js";
import { bars, lines } from "./plots.js";
import { t } from "./words.js";

const number = Number($("main").dataset.game), path = `/api/v1/games/${number}`, told = JSON.parse($("game").textContent), BEAT_MS = 700;
showTimes();
lines($("by-day"), told.guilds, Object.fromEntries(Object.entries(told.score_by_day).map(([day, totals]) => [t("Day {day}", { day }), totals])));
bars($("by-kind"), told.guilds, told.ep_by_kind);
const layout = prepare(await (await fetch(`${path}/layout`)).json());

function mapDigs() {
  const svg = $("digs");
  draw(svg, layout, { position: { ...told.position, pieces: {} } }, {});
  for (const group of svg.querySelectorAll("[tabindex]")) { group.removeAttribute("tabindex"); group.removeAttribute("role"); group.removeAttribute("aria-label"); }
  for (const [spot, guild] of Object.entries(told.digs)) {
    const [x, y] = layout.places[spot].centre, drop = { snow: 0, surface: 6, deep: -6 }[spot.split(":")[0]] ?? 0;
    make("circle", { cx: x + drop, cy: -y + drop / 2, r: 8, fill: COLOURS[guild], stroke: "#111" }, svg);
    make("text", { x: x + drop, y: -y + drop / 2 + 4, "font-size": 11, "text-anchor": "middle", class: "initial" }, svg).textContent = INITIALS[guild];
  }
  $("digs-key").textContent = told.guilds.map((guild) => `${INITIALS[guild]} = ${guildName(guild)}: ${Object.values(told.digs).filter((one) => one === guild).length}`).join(" · ");
}

let asked = 0;
async function show() {
  const after = Number($("moment").value), mine = ++asked;
  const answer = await fetch(`${path}/moments?after=${after}`).catch(() => null);
  if (!answer?.ok || mine !== asked) return;
  const found = await answer.json();
  draw($("board"), layout, found, {});
  $("moment-say").textContent = after ? `${after}. ${told.steps[after - 1]}` : t("The start of the game");
  $("moment-totals").textContent = told.guilds.map((guild, at) => `${guildName(guild)} ${found.totals[at]}`).join(" · ");
}
function go(to) { $("moment").value = to; show(); }
let running = null;
function halt() { clearInterval(running); running = null; $("run").setAttribute("aria-pressed", "false"); }
$("moment").addEventListener("input", show);
$("first").addEventListener("click", () => go(0));
$("back").addEventListener("click", () => go(Number($("moment").value) - 1));
$("next").addEventListener("click", () => go(Number($("moment").value) + 1));
$("run").addEventListener("click", () => {
  if (running) { halt(); return; }
  if (Number($("moment").value) >= told.steps.length) go(0);
  $("run").setAttribute("aria-pressed", "true");
  running = setInterval(() => { if (Number($("moment").value) >= told.steps.length) halt(); else go(Number($("moment").value) + 1); }, BEAT_MS);
});
$("print").addEventListener("click", () => window.print());
mapDigs();
show();
