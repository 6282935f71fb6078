// The diagnostic view: checks with what mends them, and the eye's stages.
import { $, button, element, post } from "./page.js";
import { t } from "./words.js";

const STATUS = { ok: t("well"), advice: t("works, could be better"), fault: t("does not work"), unused: t("not needed") };
const MARKS = { ok: "✓", advice: "!", fault: "✗", unused: "–" };

function tableItem({ name, ok, say, step }) {
  const item = element("li", undefined, { class: ok ? "ok" : "fault" });
  item.append(element("strong", `${ok ? "✓" : "✗"} ${name}`), element("span", say));
  if (!ok && step) item.append(element("a", t("Mend it in the set-up"), { class: "button", href: `/setup/${step}` }));
  return item;
}

function checkItem({ title, status, found, cure, fixes }) {
  const item = element("li", undefined, { class: status }), row = element("div", undefined, { class: "row" });
  item.append(element("strong", `${MARKS[status] ?? "?"} ${title}`), element("span", `${STATUS[status] ?? status}: ${found}`));
  if (cure) item.append(element("span", cure, { class: "cure" }));
  for (const { key, say } of fixes) row.append(button(say, () => mend(key), { class: "main" }));
  if (row.children.length) item.append(row);
  return item;
}

async function check() {
  const answer = await fetch("/api/v1/diagnosis/checks").catch(() => null);
  if (!answer?.ok) { $("fixed").textContent = t("The table cannot be reached."); return; }
  const found = await answer.json();
  $("table-findings").replaceChildren(...found.table.map(tableItem));
  $("findings").replaceChildren(...found.checks.map(checkItem));
}

async function mend(key) {
  try { $("fixed").textContent = `✓ ${(await post("/api/v1/diagnosis/fix", { key })).say}`; } catch (error) { $("fixed").textContent = `✗ ${error.message}`; }
  check();
}

async function look() {
  $("look-now").disabled = true;
  $("looked").textContent = t("Looking …");
  try {
    const { stages, trouble } = await post("/api/v1/diagnosis/look"), now = Date.now();
    $("looked").textContent = trouble ? `✗ ${trouble}` : `✓ ${t("The eye came through all stages.")}`;
    $("stages").replaceChildren(...stages.map(({ name, say }, at) => {
      const figure = element("figure"), link = element("a", undefined, { href: `/api/v1/diagnosis/stages/${name}.jpg?${now}`, target: "_blank", rel: "noopener" });
      link.append(element("img", undefined, { src: `/api/v1/diagnosis/stages/${name}.jpg?${now}`, alt: say }));
      figure.append(link, element("figcaption", `${at + 1}. ${say}`));
      return figure;
    }));
  } catch (error) { $("looked").textContent = `✗ ${error.message}`; }
  $("look-now").disabled = false;
}

if ($("look-now")) {
  $("look-now").addEventListener("click", look);
  $("check-again").addEventListener("click", check);
  check();
}
