import { RecordStream } from '../shared/platform/worker/events/record-stream.ts';
import { worker } from '../shared/platform/worker/worker.ts';
import { sequenceEvents } from '../shared/use-cases/events/sequence-events.ts';

export const handler = worker(RecordStream, sequenceEvents);
