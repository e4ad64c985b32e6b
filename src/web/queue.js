/* What a rater did, on its way to the server. It is kept in the browser until the server
 * has confirmed it, and sent in order; each act has a key, so that one that was sent twice
 * counts once. What the server will not have is kept apart, to be mended: nothing that
 * somebody did is dropped but by themselves. */
import { post, randomKey, Refused } from "./page.js";

const RETRY_MS = 400, RETRY_MAX_MS = 5000, DRAIN_TIMES = 15;

/* No to this act. What the server says of the person, the way or itself is no such thing: then the
 * act waits. */
const isRefusal = (error) => error instanceof Refused && error.status >= 400 && error.status < 500 &&
  ![401, 403, 408, 421, 425, 429].includes(error.status);

export class Queue {
  /* changed(waiting, trouble, answer, act): after each step; trouble: why nothing goes on, null:
   * nothing. refused(error, act): the server will not have it. */
  constructor(name, changed, refused) {
    this.name = "assay-queue-" + name;
    this.apart = "assay-refused-" + name;
    this.changed = changed;
    this.refused = refused;
    this.sending = false;
    this.failures = 0;
    window.addEventListener("online", () => this.send());
  }

  read(name = this.name) {
    return JSON.parse(localStorage.getItem(name) ?? "[]");
  }

  write(acts, name = this.name) {
    if (acts.length === 0) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(acts));
  }

  /* shown: what the act is, in words, for the time when the server has refused it. */
  add(kind, body, shown = "") {
    this.write([...this.read(), { kind, shown, body: { key: randomKey(), ...body } }]);
    this.changed(this.read().length, null, null, null);
    return this.send();
  }

  /* Whether something about the item is still on its way. */
  has(item) {
    return this.read().some((act) => act.body.item === item);
  }

  /* Until nothing is on its way, or this has taken too long. */
  async drain() {
    await this.send();
    for (let i = 0; i < DRAIN_TIMES && this.read().length > 0; i++)
      await new Promise((done) => setTimeout(done, RETRY_MS));
  }

  /* Another window of the same rater may have sent it meanwhile. */
  drop(key, name = this.name) {
    this.write(this.read(name).filter((other) => other.body.key !== key), name);
  }

  /* What was refused: {kind, shown, body, why}. */
  kept() {
    return this.read(this.apart);
  }

  forget(key) {
    this.drop(key, this.apart);
  }

  again(act) {
    this.forget(act.body.key);
    this.write([...this.read(), { kind: act.kind, shown: act.shown, body: act.body }]);
    return this.send();
  }

  async sendOne(act) {
    let answer = null, trouble = null;
    try {
      answer = await post(act.kind, act.body);
      this.drop(act.body.key);
    } catch (error) {
      if (isRefusal(error)) {
        this.forget(act.body.key);
        this.write([...this.kept(), { ...act, why: error.message }], this.apart);
        this.drop(act.body.key);
        this.refused(error, act);
      } else {
        trouble = error;
      }
    }
    this.changed(this.read().length, trouble, answer, act);
    return trouble === null;
  }

  /* Until all is sent, or something is in the way; then again by itself. */
  async send() {
    if (this.sending) return this.sending;
    clearTimeout(this.timer);
    this.sending = (async () => {
      let connected = true;
      for (let act = this.read()[0]; act !== undefined && connected; act = this.read()[0])
        connected = await this.sendOne(act);
      this.failures = connected ? 0 : this.failures + 1;
    })();
    try {
      await this.sending;
    } finally {
      this.sending = false;
    }
    if (this.failures > 0)
      this.timer = setTimeout(() => this.send(), Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** (this.failures - 1)));
    else if (this.read().length > 0) await this.send();
  }
}
