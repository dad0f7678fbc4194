/** The rule when a request is sent again, and after how long: the same as in the Python client. */

import { UnreachableError } from "./errors.js";

/** The number of times that a request is sent, and the waits in between. */
export interface Retries {
  /** How often a request is sent in all. */
  most: number;
  /** The wait before the second time, in seconds; each further one is twice as long, and a random part shorter. */
  firstSeconds: number;
  /** The longest wait, also when the server asks for more: then its refusal is thrown. */
  longestSeconds: number;
}

export const RETRIES: Retries = { most: 4, firstSeconds: 0.5, longestSeconds: 60 };

const TURNED_AWAY = 429;
const AWAY = new Set([502, 503, 504]);
const SAFE = new Set(["GET", "PUT", "DELETE"]);

/** Waits for so many seconds. */
export const sleep = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Returns a `fetch` that gives each POST an `Idempotency-Key`, and sends again what was turned away or may be carried out twice. */
export function patientFetch(retries: Retries, seconds: number): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method === "POST" && !request.headers.has("Idempotency-Key")) {
      request.headers.set("Idempotency-Key", crypto.randomUUID());
    }
    for (let sent = 1; ; sent += 1) {
      let answer: Response | undefined;
      let failure: unknown;
      try {
        answer = await fetch(request.clone(), { signal: AbortSignal.timeout(seconds * 1000) });
      } catch (error) {
        failure = error;
      }
      const pause = sent < retries.most ? pauseAfter(request, answer, sent, retries) : undefined;
      if (pause !== undefined) {
        await sleep(pause);
      } else if (answer !== undefined) {
        return answer;
      } else {
        throw new UnreachableError(`${request.url} did not answer: ${reasonOf(failure)}`, { cause: failure });
      }
    }
  };
}

function pauseAfter(request: Request, answer: Response | undefined, sent: number, retries: Retries): number | undefined {
  const isSafe = SAFE.has(request.method) || request.headers.has("Idempotency-Key");
  const isAway = answer === undefined || AWAY.has(answer.status);
  if (answer?.status !== TURNED_AWAY && !(isSafe && isAway)) return undefined;
  const asked = answer?.headers.get("retry-after");
  if (asked && /^\d+$/.test(asked)) return Number(asked) <= retries.longestSeconds ? Number(asked) : undefined;
  return Math.min(retries.longestSeconds, retries.firstSeconds * 2 ** (sent - 1)) * (0.5 + Math.random() / 2);
}

function reasonOf(failure: unknown): string {
  const inner = failure instanceof Error && failure.cause instanceof Error ? failure.cause : failure;
  return inner instanceof Error ? inner.message : String(inner);
}
