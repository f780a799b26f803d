import {
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { queueArn, queueUrl } from '../src/template/names.ts';
import { useAws } from './fixture/aws.ts';

const aws = useAws();
const QueueUrl = queueUrl('Jobs');
let sqs: SQSClient;

beforeAll(() => {
  const { endpoint, principals } = aws;
  const credentials = principals.getCredentials('Probe');
  sqs = new SQSClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
});

afterEach(() => {
  const jobs = aws.queues.byId['Jobs'];
  const left = (jobs?.receive(100) ?? []).map(({ receiptHandle }) => receiptHandle);
  for (const receipt of [...left, ...receipts]) jobs?.delete(receipt);
  receipts = [];
});

const send = (MessageBody: string, more = {}) =>
  sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, ...more }));
/** Receipts of the messages that the test received, to delete them after the test. */
let receipts: string[] = [];

const receive = async (more = {}) => {
  const request = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, ...more });
  const { Messages = [] } = await sqs.send(request);
  receipts.push(...Messages.map(({ ReceiptHandle = '' }) => ReceiptHandle));
  return Messages;
};

describe('SQS', () => {
  it('hands out what was sent, whose checksums the SDK checks, until it is deleted', async () => {
    const { MessageId } = await send('Größe: 1\n', {});

    const [message] = await receive({ MessageSystemAttributeNames: ['ApproximateReceiveCount'] });
    const hidden = await receive();
    await sqs.send(
      new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle ?? '' }),
    );

    expect(message).toMatchObject({
      MessageId,
      Body: 'Größe: 1\n',
      Attributes: { ApproximateReceiveCount: '1' },
    });
    expect(hidden).toEqual([]);
    expect(aws.queues.byId['Jobs']?.messages).toEqual([]);
  });

  it('takes batches, and says which of them it does not take', async () => {
    const Entries = ['one', '\u0000', 'three'].map((MessageBody, at) => ({
      Id: `m${at}`,
      MessageBody,
    }));

    const { Successful, Failed } = await sqs.send(
      new SendMessageBatchCommand({ QueueUrl, Entries }),
    );

    expect(Successful?.map(({ Id }) => Id)).toEqual(['m0', 'm2']);
    expect(Failed).toEqual([
      {
        Id: 'm1',
        Code: 'InvalidMessageContents',
        Message: expect.any(String),
        SenderFault: true,
      },
    ]);
    const bodies = aws.queues.byId['Jobs']?.messages.map(({ body }) => body);
    expect(bodies).toEqual(['one', 'three']);
  });

  it('deletes batches', async () => {
    await send('one');
    await send('two');
    const Entries = (await receive()).map(({ ReceiptHandle }, at) => ({
      Id: String(at),
      ReceiptHandle,
    }));

    const { Successful } = await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));

    expect(Successful).toEqual([{ Id: '0' }, { Id: '1' }]);
    expect(aws.queues.byId['Jobs']?.messages).toEqual([]);
  });

  it('waits for a message when it is asked to', async () => {
    const received = receive({ WaitTimeSeconds: 20 });

    await send('late');

    expect((await received).map(({ Body }) => Body)).toEqual(['late']);
  });

  it('tells how many messages wait, are handed out, and come later', async () => {
    await send('one');
    await send('two');
    await send('later', { DelaySeconds: 60 });
    await receive({ MaxNumberOfMessages: 1 });

    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
    );

    expect(Attributes).toMatchObject({
      ApproximateNumberOfMessages: '1',
      ApproximateNumberOfMessagesNotVisible: '1',
      ApproximateNumberOfMessagesDelayed: '1',
      QueueArn: queueArn('Jobs'),
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: queueArn('Dead'),
        maxReceiveCount: 2,
      }),
    });
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['an empty batch', () => sqs.send(batch(0)), 'EmptyBatchRequest'],
    ['a batch of eleven', () => sqs.send(batch(11)), 'TooManyEntriesInBatchRequest'],
    ['two entries of one id', () => sqs.send(batch(2, () => 'same')), 'BatchEntryIdsNotDistinct'],
    [
      'a batch that is too long',
      () => sqs.send(batch(3, String, 'x'.repeat(400_000))),
      'BatchRequestTooLong',
    ],
    ['a character that XML has not', () => send('\u0001'), 'InvalidMessageContents'],
    [
      'attributes of messages',
      () => send('one', { MessageAttributes: { a: { DataType: 'String', StringValue: 'b' } } }),
      'InvalidParameterValueException',
    ],
    [
      'eleven messages at once',
      () => receive({ MaxNumberOfMessages: 11 }),
      'InvalidParameterValueException',
    ],
  ])('refuses %s', async (_, request, name) => {
    await expect(request()).rejects.toMatchObject({ name });
  });

  it('does what the role allows, on the queue that it allows', async () => {
    const other = sqs.send(
      new SendMessageCommand({ QueueUrl: queueUrl('Dead'), MessageBody: 'one' }),
    );
    const another = sqs.send(new PurgeQueueCommand({ QueueUrl }));

    await expect(other).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining(`sqs:SendMessage on resource: ${queueArn('Dead')}`),
    });
    await expect(another).rejects.toThrow('sqs:PurgeQueue');
  });

  it('knows no queue but the stack’s, and says what it does not do', async () => {
    const { endpoint, principals } = aws;
    const credentials = principals.administrator;
    const all = new SQSClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });

    const unknown = all.send(
      new SendMessageCommand({ QueueUrl: queueUrl('Gone'), MessageBody: 'one' }),
    );
    const purge = all.send(new PurgeQueueCommand({ QueueUrl }));

    await expect(unknown).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
    await expect(purge).rejects.toThrow('sqs.PurgeQueue is not emulated');
  });
});

const batch = (count: number, makeId: (at: number) => string = String, MessageBody = 'one') =>
  new SendMessageBatchCommand({
    QueueUrl,
    Entries: Array.from({ length: count }, (_, at) => ({ Id: makeId(at), MessageBody })),
  });
