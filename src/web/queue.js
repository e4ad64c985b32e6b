/* What a rater did, on its way to the server. It is kept in the browser until the server
 * has confirmed it, and sent in order; each act has a key, so that one that was sent twice
 * counts once. */
import { post, randomKey, Refused } from "./page.js";

const RETRY_MS = 3000;

export class Queue {
  /* changed(waiting, connected, answer, act): after each step. refused(error, act): the
   * server will not have it. */
  constructor(name, changed, refused) {
    this.name = "assay-queue-" + name;
    this.changed = changed;
    this.refused = refused;
    this.sending = false;
    window.addEventListener("online", () => this.send());
  }

  read() {
    return JSON.parse(localStorage.getItem(this.name) ?? "[]");
  }

  write(acts) {
    if (acts.length === 0) localStorage.removeItem(this.name);
    else localStorage.setItem(this.name, JSON.stringify(acts));
  }

  add(kind, body) {
    this.write([...this.read(), { kind, body: { key: randomKey(), ...body } }]);
    this.changed(this.read().length, true, null, null);
    return this.send();
  }

  /* Another window of the same rater may have sent it meanwhile. */
  drop(act) {
    this.write(this.read().filter((other) => other.body.key !== act.body.key));
  }

  async send() {
    if (this.sending) return;
    this.sending = true;
    clearTimeout(this.timer);
    let connected = true;
    for (let act = this.read()[0]; act !== undefined && connected; act = this.read()[0]) {
      let answer = null;
      try {
        answer = await post(act.kind, act.body);
        this.drop(act);
      } catch (error) {
        if (error instanceof Refused && error.status === 400) {
          this.drop(act);
          this.refused(error, act);
        } else {
          connected = false;
        }
      }
      this.changed(this.read().length, connected, answer, act);
    }
    this.sending = false;
    if (!connected) this.timer = setTimeout(() => this.send(), RETRY_MS);
    else if (this.read().length > 0) await this.send();
  }
}
