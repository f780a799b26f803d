import * as z from 'zod';
import { readTrustedRootUrl } from '../shared/api/settings/env.ts';
import { fetchTrustedRoot } from '../shared/ecosystems/provenance/fetch-trusted-root.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { refreshTrustedRoot } from '../shared/use-cases/facts/refresh-trusted-root.ts';

export const handler = worker(z.unknown(), (_, deadline) =>
  refreshTrustedRoot(() => fetchTrustedRoot({ url: readTrustedRootUrl() }), {
    ...{ now: new Date(), deadline },
  }),
);
