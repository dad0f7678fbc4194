/** The errors of the client. Those of the API carry its own sentence, which says what to do. */

/** Any error of this client. */
export class SlowwaveError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The server did not answer, or not with an answer of slowwave. */
export class UnreachableError extends SlowwaveError {}

/** A dream did not end within the time that the caller gave it. */
export class WaitTooLongError extends SlowwaveError {}

/** A webhook that slowwave did not send just now. */
export class WebhookError extends SlowwaveError {}

interface Problem {
  type?: string;
  title?: string;
  detail?: string;
  instance?: string;
  errors?: { where: string; why: string }[] | null;
}

/** An answer with a status of 400 or more: a problem (RFC 9457). Its message is the API's own sentence. */
export class ApiError extends SlowwaveError {
  /** The kind of problem, for programs, such as `conflict` or `rate-limited`. */
  readonly kind: string;
  /** The id to look for in the server's log. */
  readonly requestId: string;
  /** For invalid input, where and why. */
  readonly errors: { where: string; why: string }[];

  constructor(
    readonly status: number,
    problem: Problem,
    requestId: string,
  ) {
    super(problem.detail ?? problem.title ?? `The server answered ${status}`);
    this.kind = (problem.type ?? "").replace("urn:slowwave:problem:", "");
    this.requestId = problem.instance ?? requestId;
    this.errors = problem.errors ?? [];
  }
}

/** Returns the error that an answer is. */
export function errorOf(answer: Response, body: unknown): ApiError {
  const problem = typeof body === "object" && body !== null ? (body as Problem) : {};
  return new ApiError(answer.status, problem, answer.headers.get("x-request-id") ?? "");
}
