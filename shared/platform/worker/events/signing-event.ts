import * as z from 'zod';
import { RecordStream } from './record-stream.ts';

/** Event of the worker that signs: new records, or the sequence number after which an operator has past decisions signed. */
export const SigningEvent = z.union([RecordStream, z.strictObject({ after: z.int().min(0) })]);
