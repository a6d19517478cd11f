/** The generated client, set up: every failure is a `Failure`, and what is worth it is asked again. */
import { QueryClient } from "@tanstack/react-query";
import type { ProblemDocument } from "./client";
import { client } from "./client/client.gen";

export * from "./client";

/** Why a request brought nothing: the problem document, or that nobody answered (status 0). */
export class Failure extends Error {
  readonly problem: ProblemDocument;

  constructor(problem: ProblemDocument) {
    super(problem.detail || problem.title);
    this.problem = problem;
  }

  get status(): number {
    return this.problem.status;
  }

  /** The code of `urn:convo:problem:<code>`. */
  get code(): string {
    return this.problem.type.split(":").at(-1) ?? "";
  }

  /** What is said of one field of the body, such as `target_count`. */
  at(field: string): string | undefined {
    return this.problem.errors?.find((e) => e.pointer?.split("/")[1] === field)?.detail;
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (isProblem(error)) return new Failure(error);
  return new Failure({
    type: "urn:convo:problem:no-answer",
    title: "convo does not answer",
    status: 0,
    detail: "The gateway cannot be reached. Is it running?",
  });
}

/** Whether there is no such thing, or no more: then nobody asks again. */
export function isGone(error: unknown): boolean {
  return error != null && failureOf(error).status === 404;
}

function isProblem(error: unknown): error is ProblemDocument {
  return typeof error === "object" && error !== null && "type" in error && "status" in error;
}

client.setConfig({ throwOnError: true });
client.interceptors.error.use((error) => failureOf(error));

const PATIENCE = 3;

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (tries, error) => tries < PATIENCE && isPassing(failureOf(error)),
        retryDelay: (tries) => 500 * 2 ** tries,
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}

/** Whether asking again may help. */
function isPassing(failure: Failure): boolean {
  return failure.status === 0 || failure.status >= 500;
}
