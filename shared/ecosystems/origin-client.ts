import type { CollectedFacts } from '../domain/facts/collected-facts.ts';
import type { Facts } from '../domain/facts/facts.ts';
import type { PackageId } from '../domain/packages/package-id.ts';
import { createDeadline } from '../util/deadline.ts';
import { logEvent } from '../util/log.ts';
import {
  catchUpstreamError,
  isSuccess,
  TransientError,
  UpstreamError,
} from '../util/outbound-http/upstream-error.ts';
import { exponentialDelay } from '../util/retry.ts';
import { fetchDockerFacts } from './docker/origin/docker-origin.ts';
import { byEcosystem, type Ecosystem, ecosystems } from './ecosystem.ts';
import { fetchMavenFacts } from './maven/origin/maven-origin.ts';
import { fetchNpmFacts } from './npm/origin/npm-origin.ts';
import { createOriginHttp, type Origin, type OriginHttpSettings } from './origin/origin-http.ts';
import { type AskFor, tellUnknown } from './origin/upstream-answer.ts';
import { fetchPypiFacts } from './pypi/origin/pypi-origin.ts';

/** Where and how origins are asked. */
export interface OriginSettings extends OriginHttpSettings {
  /** By ecosystem, of the origin or of a mirror of it, such as `https://mirror.example/repository/npm/`. */
  readonly addresses: Readonly<Record<Ecosystem, string>>;
  /** How long one version may take, with all requests, retries and waits. */
  readonly deadlineMs?: number;
  /** The longest wait before the first retry. */
  readonly backoffMs?: number;
}

/**
 * What came of asking for the facts of a version. `told`: the origin has it, or says that it does not. `failed`: nothing
 * is known, and the facts say why; where that is `passing`, it may be asked again, no sooner than it asks for.
 */
export type Collected =
  | ({ readonly outcome: 'told' } & CollectedFacts)
  | {
      readonly outcome: 'failed';
      readonly facts: Facts;
      readonly manifest: null;
      readonly passing: boolean;
      readonly retryAfterMs: number | null;
    };

/** Asks the origins of versions. */
export interface OriginClient {
  /** What the origin says of a version. Never throws for what an origin does or fails to do. */
  collectFacts(id: PackageId): Promise<Collected>;
}

const asks: Readonly<Record<Ecosystem, AskFor>> = {
  pypi: fetchPypiFacts,
  npm: fetchNpmFacts,
  maven: fetchMavenFacts,
  docker: fetchDockerFacts,
};

const defaultDeadlineMs = 60_000;
const defaultBackoffMs = 500;
/** The worker that asks comes again. */
const attempts = 3;

const tellFailed = (error: UpstreamError): Collected => ({
  outcome: 'failed',
  facts: tellUnknown(error.message),
  manifest: null,
  passing: error instanceof TransientError,
  retryAfterMs: (error instanceof TransientError ? error.retryAfterMs : undefined) ?? null,
});

/** An answer on which a reader breaks is one that cannot be read: it would break it again, and its reason is to be seen. */
const askSafely = async (origin: Origin, id: PackageId): Promise<CollectedFacts> => {
  const { ecosystem, name, version } = id;
  try {
    return await asks[ecosystem](origin, id);
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    logEvent('error', 'origin_not_read', { ecosystem, name, version, error });
    throw new UpstreamError(`What ${origin.host} says of ${name} ${version} cannot be read`);
  }
};

/** A client of the origins of all ecosystems. Faults that may pass are retried within the deadline. */
export const createOriginClient = (settings: OriginSettings): OriginClient => {
  const { addresses, deadlineMs = defaultDeadlineMs, backoffMs = defaultBackoffMs } = settings;
  const delayMs = exponentialDelay({ firstMs: backoffMs, longestMs: deadlineMs });
  const open = byEcosystem(ecosystems, (ecosystem) =>
    createOriginHttp(addresses[ecosystem], settings),
  );

  return {
    collectFacts: async (id) => {
      const origin = open[id.ecosystem]({
        ...{ attempts, delayMs, deadline: createDeadline(deadlineMs) },
      });
      const told = await catchUpstreamError(() => askSafely(origin, id));
      return isSuccess(told) ? { outcome: 'told', ...told } : tellFailed(told);
    },
  };
};
