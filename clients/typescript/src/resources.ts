/** The face by hand: `client.dreams`, `client.memories`, `client.sessions`, `client.operations`, `client.evaluations`. */

import type { Client } from "openapi-fetch";

import { ApiError, errorOf, UnreachableError, WaitTooLongError } from "./errors.js";
import { sleep } from "./retries.js";
import type { components, paths } from "./schema.js";

export type Api = Client<paths>;
export type Schemas = components["schemas"];

const ACTIVE = new Set<string>(["queued", "running"]);
const EVENTS_AT_ONCE = 500;

interface Outcome<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

interface PageOf<T> {
  data: T[];
  next_cursor?: string | null;
}

/** Returns the answer of a call, or throws what the API says. */
export async function settle<T>(call: Promise<Outcome<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw errorOf(response, error);
  if (data === undefined) throw new UnreachableError(`${response.url} did not answer as slowwave does`);
  return data;
}

async function* walk<T>(read: (cursor: string | null) => Promise<Outcome<PageOf<T>>>): AsyncGenerator<T, void> {
  let cursor: string | null | undefined = null;
  do {
    const page: PageOf<T> = await settle(read(cursor));
    yield* page.data;
    cursor = page.next_cursor;
  } while (cursor);
}

/** Looks until something has ended, ever less often. */
async function ended<T extends { state: string }>(look: () => Promise<T>, name: string, seconds: number): Promise<T> {
  const until = Date.now() + seconds * 1000;
  for (let pause = 0.2; ; pause = Math.min(pause * 1.5, 5)) {
    const seen = await look();
    if (!ACTIVE.has(seen.state)) return seen;
    if (Date.now() + pause * 1000 > until) {
      throw new WaitTooLongError(`${name} is still ${seen.state} after ${seconds} seconds`);
    }
    await sleep(pause);
  }
}

/** The dreams of a tenant. */
export class Dreams {
  constructor(
    private readonly api: Api,
    private readonly store: string,
  ) {}

  /** Starts a dream. Throws an ApiError of the kind `conflict` with the gate's reason if one is shut. */
  start(options: Partial<Schemas["DreamInput"]> = {}, idempotencyKey?: string): Promise<Schemas["Dream"]> {
    const header = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
    return settle(this.api.POST("/api/dreams", { body: { store: this.store, ...options }, params: { header } }));
  }

  /** Returns a dream once it has ended. Throws a WaitTooLongError if it has not after so many seconds. */
  wait(id: string, seconds = Infinity): Promise<Schemas["DreamNow"]> {
    return ended(() => this.get(id), `The dream ${id}`, seconds);
  }

  /** Returns a dream with its phases and its progress. */
  get(id: string): Promise<Schemas["DreamNow"]> {
    return settle(this.api.GET("/api/dreams/{dream_id}", { params: { path: { dream_id: id } } }));
  }

  /** Returns what a dream did and why, and what it cost. */
  log(id: string): Promise<Schemas["Log"]> {
    return settle(this.api.GET("/api/dreams/{dream_id}/log", { params: { path: { dream_id: id } } }));
  }

  /** Yields dreams, newest first: of one store, or of all. */
  list(store: string | null = null): AsyncGenerator<Schemas["Dream"], void> {
    return walk((cursor) => this.api.GET("/api/dreams", { params: { query: { store, cursor } } }));
  }

  /** Asks a dream to stop after its current step. */
  cancel(id: string): Promise<Schemas["State"]> {
    return settle(this.api.POST("/api/dreams/{dream_id}/cancel", { params: { path: { dream_id: id } } }));
  }

  /** Restores the memories to their state before a dream. Later edits stay, unless `force` overwrites them. */
  undo(id: string, force = false): Promise<Schemas["Undo"]> {
    return settle(this.api.POST("/api/dreams/{dream_id}/undo", { params: { path: { dream_id: id } }, body: { force } }));
  }
}

/** The evaluations of a store: whether dreams help it, measured on copies of it. */
export class Evaluations {
  constructor(
    private readonly api: Api,
    private readonly store: string,
  ) {}

  /** Starts an evaluation. Throws an ApiError of the kind `conflict` while another one runs. */
  start(
    order: Partial<Schemas["EvaluationInput"]> = {},
    store = this.store,
    idempotencyKey?: string,
  ): Promise<Schemas["Evaluation"]> {
    const header = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
    const params = { path: { store }, header };
    return settle(this.api.POST("/api/stores/{store}/evaluations", { params, body: order as Schemas["EvaluationInput"] }));
  }

  /** Returns an evaluation once it has ended. Throws a WaitTooLongError if it has not after so many seconds. */
  wait(id: string, seconds = Infinity, store = this.store): Promise<Schemas["EvaluationDetail"]> {
    return ended(() => this.get(id, store), `The evaluation ${id}`, seconds);
  }

  /** Returns an evaluation with its report, or how far it has come. */
  get(id: string, store = this.store): Promise<Schemas["EvaluationDetail"]> {
    const params = { path: { store, evaluation_id: id } };
    return settle(this.api.GET("/api/stores/{store}/evaluations/{evaluation_id}", { params }));
  }

  /** Yields evaluations without their reports, newest first. */
  list(store = this.store): AsyncGenerator<Schemas["Evaluation"], void> {
    return walk((cursor) =>
      this.api.GET("/api/stores/{store}/evaluations", { params: { path: { store }, query: { cursor } } }),
    );
  }

  /** Cancels an evaluation and deletes its copies of the store. Throws an ApiError of the kind `conflict` if it has ended. */
  cancel(id: string, store = this.store): Promise<Schemas["Evaluation"]> {
    const params = { path: { store, evaluation_id: id } };
    return settle(this.api.POST("/api/stores/{store}/evaluations/{evaluation_id}/cancel", { params }));
  }

  /** Returns the questions of its own that a store keeps, which its evaluations ask. */
  async probes(store = this.store): Promise<Schemas["Probe"][]> {
    return (await settle(this.api.GET("/api/stores/{store}/probes", { params: { path: { store } } }))).probes;
  }

  /** Keeps these questions instead of all that the store has. */
  async setProbes(probes: Schemas["ProbeInput"][], store = this.store): Promise<Schemas["Probe"][]> {
    const params = { path: { store } };
    return (await settle(this.api.PUT("/api/stores/{store}/probes", { params, body: { probes } }))).probes;
  }

  /** Returns the arms that stores of the tenant try settings in, the stores without one first: their dreams and recall. */
  async arms(): Promise<Schemas["Arm"][]> {
    return (await settle(this.api.GET("/api/arms"))).data;
  }

  /** Puts a store into an arm with these settings, which go back if the arm harms; an empty arm takes it out and leaves them. */
  setArm(
    arm: string,
    settings: Omit<Schemas["StorePatch"], "arm"> = {},
    store = this.store,
  ): Promise<Schemas["Store"]> {
    return settle(this.api.PATCH("/api/stores/{store}", { params: { path: { store } }, body: { ...settings, arm } }));
  }
}

/** The memories of a store. A memory is named by its path. */
export class Memories {
  constructor(
    private readonly api: Api,
    private readonly store: string,
  ) {}

  /** Yields live memories without their texts, by path: those whose path begins with `prefix`. */
  list(prefix = "", store = this.store): AsyncGenerator<Schemas["MemoryLine"], void> {
    return walk((cursor) =>
      this.api.GET("/api/stores/{store}/memories", { params: { path: { store }, query: { prefix, cursor } } }),
    );
  }

  /** Returns a memory with its text. Throws an ApiError of the kind `not-found`. */
  async get(path: string, store = this.store): Promise<Schemas["Memory"]> {
    const memory_id = await this.idOf(path, store);
    return settle(this.api.GET("/api/stores/{store}/memories/{memory_id}", { params: { path: { store, memory_id } } }));
  }

  /** Creates the memory at a path, or changes its text. */
  async put(path: string, content: string, store = this.store): Promise<Schemas["Memory"]> {
    let memory_id = await this.find(path, store);
    if (memory_id === undefined) {
      try {
        return await settle(this.api.POST("/api/stores/{store}/memories", { params: { path: { store } }, body: { path, content } }));
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409) throw error; // else another writer was quicker
        memory_id = await this.idOf(path, store);
      }
    }
    const params = { path: { store, memory_id } };
    return settle(this.api.PATCH("/api/stores/{store}/memories/{memory_id}", { params, body: { content } }));
  }

  /** Archives a memory: agents no longer see it; its text and history stay. */
  async delete(path: string, store = this.store): Promise<Schemas["Memory"]> {
    const memory_id = await this.idOf(path, store);
    return settle(this.api.DELETE("/api/stores/{store}/memories/{memory_id}", { params: { path: { store, memory_id } } }));
  }

  /** Returns the memories that match best, archived ones too; at most 50. */
  async search(words: string, limit = 10, store = this.store): Promise<Schemas["Hit"][]> {
    const params = { path: { store }, query: { q: words, limit } };
    return (await settle(this.api.GET("/api/stores/{store}/search", { params }))).data;
  }

  private async find(path: string, store: string): Promise<string | undefined> {
    const params = { path: { store }, query: { prefix: path, limit: 1 } };
    const [first] = (await settle(this.api.GET("/api/stores/{store}/memories", { params }))).data;
    return first?.path === path ? first.id : undefined; // by path: the shortest with this beginning is the first
  }

  private async idOf(path: string, store: string): Promise<string> {
    const found = await this.find(path, store);
    if (found === undefined) {
      throw new ApiError(404, { type: "not-found", detail: `There is no memory at ${path} in the store ${store}` }, "");
    }
    return found;
  }
}

/** The sessions of a store: the conversations from which dreams gather. */
export class Sessions {
  constructor(
    private readonly api: Api,
    private readonly store: string,
  ) {}

  /**
   * Appends events to a session of your own id, which begins with its first event. A repeated event is recorded once.
   * The labels, such as `{ kind: "cron" }`, are what a store's settings may leave a session out by.
   */
  async append(
    session: string,
    events: Schemas["EventInput"][],
    isOver = false,
    store = this.store,
    labels: Record<string, string> = {},
  ): Promise<Schemas["Appended"]> {
    const body = { external_id: session, labels };
    const begun = await settle(this.api.POST("/api/stores/{store}/sessions", { params: { path: { store } }, body }));
    const params = { path: { store, session_id: begun.id } };
    let [added, known] = [0, 0];
    for (let start = 0; ; start += EVENTS_AT_ONCE) {
      const isLast = start + EVENTS_AT_ONCE >= events.length;
      const body = { events: events.slice(start, start + EVENTS_AT_ONCE), current: !(isOver && isLast) };
      const appended = await settle(this.api.POST("/api/stores/{store}/sessions/{session_id}/events", { params, body }));
      [added, known] = [added + appended.added, known + appended.known];
      if (isLast) return { ...appended, added, known };
    }
  }
}

/** The operations of dreams: what they did, and what waits for a review. */
export class Operations {
  constructor(private readonly api: Api) {}

  /** Yields the operations that wait for a review, oldest first, with their diffs. */
  list(only: { store?: string; dream?: string } = {}): AsyncGenerator<Schemas["Operation"], void> {
    return walk((cursor) => this.api.GET("/api/reviews", { params: { query: { ...only, cursor } } }));
  }

  /** Keeps an applied operation, or applies a proposed one to the memories as they are now. */
  approve(id: string): Promise<Schemas["Operation"]> {
    return settle(this.api.POST("/api/reviews/{operation_id}/approve", { params: { path: { operation_id: id } } }));
  }

  /** Restores what an applied operation changed, or drops a proposed one. */
  reject(id: string, why = "", force = false): Promise<Schemas["Operation"]> {
    const params = { path: { operation_id: id } };
    return settle(this.api.POST("/api/reviews/{operation_id}/reject", { params, body: { why, force } }));
  }

  /** Restores what one applied operation changed: the same as to reject it. `dreams.undo` takes a whole dream back. */
  undo(id: string, force = false): Promise<Schemas["Operation"]> {
    return this.reject(id, "", force);
  }
  /** Asks a member of the tenant to decide an operation that waits for a review. Others still may. */
  assign(id: string, to: string): Promise<Schemas["Operation"]> {
    const params = { path: { operation_id: id } };
    return settle(this.api.POST("/api/reviews/{operation_id}/assign", { params, body: { to } }));
  }

  /** Appends a comment to an operation. It decides nothing. */
  comment(id: string, text: string): Promise<Schemas["Operation"]> {
    const params = { path: { operation_id: id } };
    return settle(this.api.POST("/api/reviews/{operation_id}/comment", { params, body: { text } }));
  }
}
