import { sequenceEvents } from '../shared/events/sequence-events.ts';
import { RecordStream } from '../shared/schemas/record-stream.ts';
import { worker } from '../shared/worker/worker.ts';

export const handler = worker(RecordStream, sequenceEvents);
