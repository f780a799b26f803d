/** Reads SQS queues. Nothing here consumes them, so that what governs their consumers is left out. */
import * as z from 'zod';
import type { Queue } from './model.ts';
import { queueArn } from './names.ts';
import type { Reader } from './reader.ts';

const queueSchema = z.object({ QueueName: z.string().optional() });

export const readQueues = (reader: Reader): readonly Queue[] =>
  reader.ofType('AWS::SQS::Queue').map((resource) => {
    const { QueueName: name = resource.id } = reader.read(resource, queueSchema);
    return { id: resource.id, name, arn: queueArn(name) };
  });
