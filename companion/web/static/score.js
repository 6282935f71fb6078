// The live score pad, who won so far, and times of day as this device writes them.
import { follow } from "./live.js";
import { $, showTimes, table } from "./page.js";
import { columns } from "./plots.js";

showTimes();
if ($("wins")) columns($("wins"), JSON.parse($("wins-told").textContent));
follow((snapshot) => {
  $("turn").textContent = snapshot.headline || "";
  if (snapshot.score) $("score").replaceChildren(table(snapshot.score));
});
