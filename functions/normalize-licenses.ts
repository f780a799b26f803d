import * as z from 'zod';
import { worker } from '../shared/platform/worker/worker.ts';
import { normalizeLicenses } from '../shared/use-cases/licensing/normalize-licenses.ts';

export const handler = worker(z.unknown(), (_, deadline) =>
  normalizeLicenses({ now: new Date(), deadline }),
);
