/** Submits and approves the packages of the projects, and waits until the gate serves them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { maxItems } from '../../../shared/api/schemas/many.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { splitInto } from '../../../shared/util/split-into.ts';
import { startProgressBar } from '../progress-bar.ts';
import type { Registry } from './registry.ts';

interface ManyAnswer {
  readonly results: readonly {
    readonly status: number;
    readonly problem?: { readonly code: string };
  }[];
}

const mostAttempts = 20;

/** Sends a request for many packages, and repeats it until the registry had time for each of them. */
const post = async ({ url }: Registry, path: string, body: object): Promise<void> => {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() };
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${answer}`);
    const failed = (JSON.parse(answer) as ManyAnswer).results.filter(({ status }) => status >= 300);
    if (failed.length === 0) return;
    const isRefused = failed.some(({ problem }) => problem?.code !== 'not_attempted');
    if (isRefused || attempt === mostAttempts)
      throw new Error(`${path}: ${JSON.stringify(failed)}`);
  }
};

/** Returns whether the registry knows the files of an approved version. */
const isPinned = async ({ url }: Registry, id: PackageId): Promise<boolean> => {
  const { ecosystem, name, version } = id;
  const query = new URLSearchParams({ ecosystem, version });
  const path = `/api/v1/packages/${encodeURIComponent(name)}/evidence?${query}`;
  const response = await fetch(`${url}${path}`);
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  const { files } = (await response.json()) as { files: { pinned: boolean } | null };
  return files?.pinned === true;
};

const pauseMs = 3000;
const limitMs = 20 * 60_000;

/** Returns the position of the first version from a position on whose files the registry does not know. */
const findUnpinned = async (
  registry: Registry,
  ids: readonly PackageId[],
  from: number,
): Promise<number> => {
  for (const [at, id] of ids.entries()) {
    if (at >= from && !(await isPinned(registry, id))) return at;
  }
  return ids.length;
};

/** Waits for one version after the other, because workers let requests go before their own work. */
const waitUntilPinned = async (registry: Registry, ids: readonly PackageId[]): Promise<void> => {
  const bar = startProgressBar('collecting upstream metadata');
  const end = performance.now() + limitMs;
  let done = 0;
  for (;;) {
    done = await findUnpinned(registry, ids, done);
    const waiting = ids[done];
    if (waiting === undefined) break;
    if (performance.now() > end) {
      throw new Error(`The registry has no metadata of ${waiting.name}@${waiting.version}`);
    }
    bar.update(done / ids.length);
    await delay(pauseMs);
  }
  bar.finish();
};

/** @throws {Error} if a version is refused, or has no upstream metadata within 20 minutes */
export const approvePackages = async (
  registry: Registry,
  ids: readonly PackageId[],
): Promise<void> => {
  const bar = startProgressBar(`approving ${ids.length} packages`);
  const groups = splitInto(maxItems, ids);
  for (const [at, group] of groups.entries()) {
    await post(registry, '/api/v1/submissions', { packages: group });
    const decisions = group.map((id) => ({ ...id, action: 'approve' }));
    await post(registry, '/api/v1/decisions', { decisions });
    bar.update((at + 1) / groups.length);
  }
  bar.finish();
  await waitUntilPinned(registry, ids);
};
