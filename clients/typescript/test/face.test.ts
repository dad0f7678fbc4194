/** Retries, errors and webhooks, against a server that fails as it is told. */

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";

import { ApiError, Slowwave, UnreachableError, verifyWebhook, WebhookError } from "../src/index.js";

const STATE = { id: "drm_1", state: "canceled" };
const PROBLEM = { type: "urn:slowwave:problem:unavailable", detail: "A server that slowwave needs does not respond" };

/** Serves with these statuses in turn, then with success; 0 breaks the connection. Returns the requests. */
async function failing(
  statuses: number[],
  use: (client: Slowwave, url: string) => Promise<void>,
  headers: Record<string, string> = {},
): Promise<IncomingMessage[]> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, answer) => {
    seen.push(request);
    const status = statuses.shift() ?? 200;
    if (status === 0) {
      request.socket.destroy();
      return;
    }
    answer.writeHead(status, { "content-type": "application/json", ...(status === 200 ? {} : headers) });
    answer.end(JSON.stringify(status === 200 ? STATE : PROBLEM));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await use(new Slowwave(url, "k", { retries: { firstSeconds: 0.01 } }), url);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  return seen;
}

for (const status of [429, 502, 503, 504, 0]) {
  test(`a POST is sent again under the same key after ${status}`, async () => {
    const seen = await failing([status, status], async (client) => {
      assert.equal((await client.dreams.cancel("drm_1")).state, "canceled");
    });
    assert.equal(seen.length, 3);
    assert.equal(new Set(seen.map((one) => one.headers["idempotency-key"])).size, 1);
    assert.ok(seen[0]?.headers["idempotency-key"]);
  });
}

test("an evaluation is started, waited for and canceled under its store", async () => {
  const seen = await failing([429], async (client) => {
    await client.evaluations.start({ probes: [{ question: "Which port?", evidence: "9042" }] }, "bot", "tonight");
    assert.equal((await client.evaluations.wait("eval_1", 1, "bot")).state, "canceled");
    await client.evaluations.cancel("eval_1");
  });
  const evaluations = "/api/stores/bot/evaluations";
  assert.deepEqual(
    seen.map((one) => [one.method, one.url]),
    [
      ["POST", evaluations],
      ["POST", evaluations],
      ["GET", `${evaluations}/eval_1`],
      ["POST", "/api/stores/default/evaluations/eval_1/cancel"],
    ],
  );
  assert.deepEqual(seen.slice(0, 2).map((one) => one.headers["idempotency-key"]), ["tonight", "tonight"]);
});

test("a store's own questions are replaced, and read under its store", async () => {
  const probes = [{ question: "Which port?", evidence: "9042" }];
  const seen = await failing([503], async (client) => {
    await client.evaluations.setProbes(probes, "bot");
    await client.evaluations.probes();
  });
  assert.deepEqual(
    seen.map((one) => [one.method, one.url]),
    [
      ["PUT", "/api/stores/bot/probes"],
      ["PUT", "/api/stores/bot/probes"],
      ["GET", "/api/stores/default/probes"],
    ],
  );
});

test("a store is put into an arm with its settings there", async () => {
  const bodies: Promise<unknown>[] = [];
  const seen = await failing([], async (client) => {
    client.api.use({ onRequest: ({ request }) => void bodies.push(request.clone().json()) });
    await client.evaluations.setArm("trial", { profile: "rockbot" }, "bot");
  });
  assert.deepEqual([seen[0]?.method, seen[0]?.url], ["PATCH", "/api/stores/bot"]);
  assert.deepEqual(await bodies[0], { arm: "trial", profile: "rockbot" });
});

test("a PATCH is sent once, unless it was turned away", async () => {
  const change = (client: Slowwave) => client.api.PATCH("/api/settings", { body: {} });
  const once = await failing([503], async (client) => assert.equal((await change(client)).response.status, 503));
  assert.equal(once.length, 1);
  const twice = await failing([429], async (client) => assert.equal((await change(client)).response.status, 200));
  assert.equal(twice.length, 2);
});

test("after four tries the last refusal is thrown, in the API's own sentence", async () => {
  const seen = await failing(Array(9).fill(503), async (client) => {
    await assert.rejects(client.dreams.get("drm_1"), (error) => {
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.status, error.kind, error.message], [503, "unavailable", PROBLEM.detail]);
      return true;
    });
  });
  assert.equal(seen.length, 4);
});

test("a wait of more than a minute is too long", async () => {
  const seen = await failing([429], (client) => assert.rejects(client.dreams.get("drm_1"), ApiError), { "retry-after": "61" });
  assert.equal(seen.length, 1);
});

test("a server that is away is said to be so", async () => {
  let gone: Slowwave | undefined;
  await failing([], async (client) => void (gone = client));
  await assert.rejects(gone!.dreams.get("drm_1"), UnreachableError);
});

test("a webhook is verified, and a forged or old one is not", () => {
  const key = Buffer.from("a secret of enough characters");
  const secret = `whsec_${key.toString("base64")}`;
  const body = JSON.stringify({ type: "dream.finished", timestamp: "2026-11-21T06:00:00Z", data: {} });
  const at = String(Math.floor(Date.now() / 1000));
  const sign = (time: string) => `v1,${createHmac("sha256", key).update(`msg_1.${time}.${body}`).digest("base64")}`;
  const headers = { "webhook-id": "msg_1", "webhook-timestamp": at, "webhook-signature": sign(at) };
  assert.equal(verifyWebhook(secret, headers, body).type, "dream.finished");
  assert.throws(() => verifyWebhook(secret, headers, `${body} `), WebhookError);
  assert.throws(() => verifyWebhook(secret, { ...headers, "webhook-timestamp": "1", "webhook-signature": sign("1") }, body), WebhookError);
});
