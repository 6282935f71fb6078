// One lesson: what stands is kept here and replayed by the server, which judges every attempt by the rules.
import { describe, draw, legend, prepare } from "./board.js";
import { $, button, element, pairs, post } from "./page.js";
import { passed } from "./passed.js";
import { t } from "./words.js";

const number = Number($("main").dataset.lesson), path = `/api/v1/learn/${number}`;
let layout = null, view = null, picked = null, done = [];

async function ask(attempt = null) {
  try { view = await post(path, { done, attempt, spot: picked }); } catch (error) { $("headline").textContent = error.message; return; }
  if (!view.refusal && attempt !== null) picked = null;
  done = view.done;
  if (!view.refusal && attempt !== null && !view.finished) view = await post(path, { done, attempt: null, spot: null });
  if (view.finished) passed(number);
  show();
}

function show() {
  draw($("lesson-board"), layout, view, { picked, onPick: (spot) => { picked = spot; ask(); }, marked: view.refusal?.spots });
  legend($("legend"), view.lights);
  $("headline").textContent = view.headline;
  pairs($("facts"), view.facts);
  $("steps").replaceChildren(...view.steps.map((step) => element("li", step)));
  $("praise").hidden = !view.finished;
  if (view.finished) $("praise").replaceChildren(element("h2", `✓ ${t("Lesson passed")}`), element("p", view.praise));
  const refusal = $("refusal");
  refusal.hidden = !view.refusal;
  if (view.refusal) {
    const rule = element("p", view.refusal.title, { class: "rule-title" });
    rule.prepend(element("span", view.refusal.rule, { class: "rule" }), " ");
    refusal.replaceChildren(element("h2", `✕ ${t("This is not allowed")}`), element("p", view.refusal.say, { class: "say" }), rule);
  }
  $("choices-title").textContent = view.question || (picked ? describe(picked, view.position, view.lights) : t("Tap a place on the board"));
  $("choices").replaceChildren(...view.choices.map((choice) => {
    const item = element("li");
    item.append(button(choice.label, () => ask(choice.line)));
    if (choice.cost) item.append(element("p", choice.cost, { class: "cost" }));
    return item;
  }));
  $("back").disabled = !done.length;
}

$("back").addEventListener("click", () => { done = done.slice(0, -1); picked = null; ask(); });
$("again").addEventListener("click", () => { done = []; picked = null; ask(); });
$("on-table")?.addEventListener("click", async () => {
  try { await post("/api/v1/commands/start-lesson", { number }); location.assign("/"); } catch (error) { $("on-table-say").textContent = error.message; }
});
layout = prepare(await (await fetch(`${path}/layout`)).json());
ask();
