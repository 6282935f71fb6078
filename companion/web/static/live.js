// Follows the live snapshots: a broken line is noticed by the missing heartbeat and opened again, whatever broke it.
const BEAT_MS = 10_000, SILENT_MS = 2.5 * BEAT_MS, AGAIN_MS = 2_000; // the server says something at least every BEAT_MS

export function follow(onSnapshot, onLink = () => {}) {
  let source = null, heard = 0, timer = null;
  const listen = () => { heard = performance.now(); };
  const again = () => { source.close(); onLink(false); clearTimeout(timer); timer = setTimeout(open, AGAIN_MS); };
  function open() {
    clearTimeout(timer);
    source?.close();
    listen();
    source = new EventSource("/events");
    source.addEventListener("open", () => { listen(); onLink(true); });
    source.addEventListener("beat", listen);
    source.addEventListener("error", () => { if (source.readyState === EventSource.CLOSED) again(); else onLink(false); }); // else the browser tries again itself
    source.addEventListener("snapshot", (event) => { listen(); onLink(true); onSnapshot({ version: event.lastEventId, ...JSON.parse(event.data) }); });
  }
  const look = () => { if (performance.now() - heard > SILENT_MS) again(); };
  setInterval(look, BEAT_MS / 2);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) look(); }); // a phone that slept
  addEventListener("online", open);
  open();
}
