/** The client of slowwave: `new Slowwave(url, key)` and `verifyWebhook`. README.md shows how to use it. */

import createClient from "openapi-fetch";
import { Webhook } from "standardwebhooks";

import { WebhookError } from "./errors.js";
import { type Api, Dreams, Evaluations, Memories, Operations, Sessions } from "./resources.js";
import { patientFetch, type Retries, RETRIES } from "./retries.js";
import type { paths } from "./schema.js";

export { ApiError, SlowwaveError, UnreachableError, WaitTooLongError, WebhookError } from "./errors.js";
export { MemoryRefusalError, StoreMemory, type StoreMemoryOptions } from "./memory.js";
export { settle, type Api, type Schemas } from "./resources.js";
export type { Retries } from "./retries.js";
export type { components, paths } from "./schema.js";

export interface Options {
  /** The store of calls that name none. */
  store?: string;
  /** For an operator's key: the tenant to act for. */
  tenant?: string;
  retries?: Partial<Retries>;
  /** For how many seconds to wait for an answer. */
  timeout?: number;
}

/** The API of slowwave for one key. `api` reaches every call, typed: `settle(client.api.GET("/api/costs"))`. */
export class Slowwave {
  readonly api: Api;
  /** The store of calls that name none. */
  readonly store: string;
  readonly dreams: Dreams;
  readonly memories: Memories;
  readonly sessions: Sessions;
  readonly operations: Operations;
  readonly evaluations: Evaluations;

  constructor(url: string, key: string, { store = "default", tenant, retries = {}, timeout = 30 }: Options = {}) {
    const headers = { Authorization: `Bearer ${key}`, ...(tenant === undefined ? {} : { "Slowwave-Tenant": tenant }) };
    const fetch = patientFetch({ ...RETRIES, ...retries }, timeout);
    this.store = store;
    this.api = createClient<paths>({ baseUrl: url.replace(/\/$/, ""), headers, fetch });
    this.dreams = new Dreams(this.api, store);
    this.memories = new Memories(this.api, store);
    this.sessions = new Sessions(this.api, store);
    this.operations = new Operations(this.api);
    this.evaluations = new Evaluations(this.api, store);
  }
}

/** The event of a webhook. */
export interface WebhookEvent {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** Returns the event of a delivery. Throws a WebhookError for one that is not of this secret, or is more than five minutes old. */
export function verifyWebhook(secret: string, headers: Record<string, string>, body: string): WebhookEvent {
  try {
    return new Webhook(secret).verify(body, headers) as WebhookEvent;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new WebhookError(`The webhook is not one that slowwave has sent just now: ${why}`, { cause: error });
  }
}
