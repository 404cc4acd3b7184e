// Runs in the browser: a board is mounted, becomes another one, until nothing moves.
const NOBODY = "";
/** Longer than any motion. */
const ALL_MS = 1200;

const nextFrame = () => new Promise((done) => requestAnimationFrame(() => done(performance.now())));

let change = () => undefined;

// eslint-disable-next-line no-unused-vars
async function prepare(slug, layoutName, [before, after]) {
  if (!document.querySelector("link")) {
    for (const href of ["/style.css", "/games/touche-coule.css", "/games/conquest.css"]) {
      const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
      document.head.append(link);
      await new Promise((done) => (link.onload = done));
    }
  }
  const renderer = await import(`/games/${slug}.js`);
  const { default: BoardLayout } = await import(`/layouts/${layoutName}.js`);
  const { addGameTexts } = await import("/i18n/translate.js");
  addGameTexts(slug, renderer.texts);
  const host = Object.assign(document.createElement("div"), { className: "board", id: "board" });
  host.style.cssText = "width: 800px; height: 800px";
  host.dataset.game = slug;
  document.body.replaceChildren(host);
  const input = { press() {}, describe: () => "", point() {}, inspect: () => null };
  const layout = new BoardLayout(host, input, {});
  const context = (board) => ({
    ...{ match: `${slug}/1`, board, me: NOBODY, ownAccounts: new Set(), selected: 0, head: null, now: 0 },
    ...{ pending: [], draft: { state: {}, change() {} }, formatAmount: String, events: [] },
  });
  layout.show(renderer.picture(context(before)));
  for (let i = 0; i < 10; i++) await nextFrame();
  const next = renderer.picture(context(after));
  change = () => layout.show(next);
}

// eslint-disable-next-line no-unused-vars
async function play() {
  await nextFrame();
  change();
  await nextFrame();
  await nextFrame();
  const isMoving = document.getAnimations().some(({ playState }) => playState === "running");
  if (!isMoving) throw new Error("nothing moves");
  await new Promise((done) => setTimeout(done, ALL_MS));
}
