"""Two hundred raters save labels through the pages while the server is killed (-9) again and
again, and started anew. A rater sends a label until its save is confirmed, as the page does.
Then every confirmed label is in labels.db, and none is there twice. Prints TAP lines.
usage: label_kill.py ASSAY FOLDER"""
import asyncio
import random
import sqlite3
import subprocess
import sys

from label_client import Person, Server, write_study

RATERS, ITEMS, CODES, KILLS = 200, 12, 4, 20
SECONDS_MAX = 180  # for all labels; then something hangs

count = 0


def check(holds, name, note=""):
    global count
    count += 1
    print(("ok" if holds else "not ok") + f" {count} - {name}" + (f" ({note})" if note and not holds else ""))
    sys.stdout.flush()


class Rater(Person):
    """Labels all items, and some of them twice; keeps what was confirmed."""

    def __init__(self, name, port, token, rng):
        super().__init__(port, token)
        self.name, self.rng, self.confirmed, self.repeated, self.refused = name, rng, {}, 0, []

    async def send(self, key, body):
        while True:
            try:
                status, said = await self.ask("label", {**body, "key": key})
            except (OSError, EOFError, asyncio.IncompleteReadError):
                await asyncio.sleep(self.rng.uniform(0.05, 0.3))
                continue
            if status == 200:
                self.confirmed[key] = (self.name, body["item"], body["codes"][0])
                self.repeated += said["repeated"]
            else:
                self.refused.append((status, said))
            return

    async def work(self):
        items = list(range(1, ITEMS + 1))
        self.rng.shuffle(items)
        for number, item in enumerate(items + items[:2]):
            await asyncio.sleep(self.rng.uniform(0, 0.5))
            await self.send(f"{self.name}-{number}", {"item": item, "dimension": "kind", "seconds": 1,
                            "codes": [f"c{self.rng.randrange(CODES)}"]})
        self.drop()


async def open_round(port, token):
    lead = Person(port, token)
    status, said = await lead.ask("round", {"kind": "main", "items": ITEMS, "raters": 0, "overlap": 1, "retest": 0})
    lead.drop()
    return status == 200 and said["round"] == 1


async def kill_and_start(server, rng):
    for _ in range(KILLS):
        await asyncio.sleep(rng.uniform(0.05, 0.5))
        await asyncio.to_thread(server.kill)
        await asyncio.to_thread(server.start)


async def labels(server, tokens, rng):
    raters = [Rater(name, server.port, token, random.Random(f"{name}"))
              for name, token in sorted(tokens.items()) if name != "lead"]
    check(len(raters) == RATERS, f"{RATERS} raters have links")
    check(await open_round(server.port, tokens["lead"]), "the lead opens a round")
    work = asyncio.gather(*(rater.work() for rater in raters))
    await asyncio.wait_for(asyncio.gather(work, kill_and_start(server, rng)), SECONDS_MAX)
    return raters


def main():
    assay, folder = sys.argv[1:3]
    write_study(folder, ITEMS, RATERS, CODES)
    subprocess.run([assay, "run", folder, "--quiet"], check=True)
    server = Server(assay, folder)
    raters = asyncio.run(labels(server, server.start(), random.Random(7)))
    check(server.end() == 0, f"the server was killed {KILLS} times, and ends well at last")
    confirmed = {key: label for rater in raters for key, label in rater.confirmed.items()}
    refused = [one for rater in raters for one in rater.refused]
    repeated = sum(rater.repeated for rater in raters)
    check(refused == [], "no label was refused", str(refused[:3]))
    check(len(confirmed) == RATERS * (ITEMS + 2), "every label was confirmed in the end", str(len(confirmed)))
    with sqlite3.connect(f"file:{folder}/labels.db?mode=ro", uri=True) as db:
        stored = db.execute("SELECT client_key, rater, item, codes FROM act").fetchall()
        whole = db.execute("PRAGMA integrity_check").fetchone()[0]
    check(whole == "ok", "labels.db is whole", whole)
    lost = [key for key in confirmed if key not in {row[0] for row in stored}]
    check(lost == [], "every confirmed label is there", str(lost[:3]))
    check(len(stored) == len({row[0] for row in stored}) == len(confirmed), "none is there twice",
          f"{len(stored)} stored")
    wrong = [row for row in stored if confirmed.get(row[0]) != (row[1], row[2], row[3].strip('[]"'))]
    check(wrong == [], "each is what its rater said", str(wrong[:3]))
    print(f"# {repeated} were stored, but their confirmation was lost with the server")
    print(f"1..{count}")


if __name__ == "__main__":
    main()
