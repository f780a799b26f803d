/** Emulates DynamoDB and Secrets Manager with stored data, so that each candidate sends and reads the same. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { marshall } from '@aws-sdk/util-dynamodb';
import { apiKey } from './requests.ts';
import { storedItem } from './stored.ts';

const queryAnswer = JSON.stringify({ Count: 1, ScannedCount: 1, Items: [marshall(storedItem)] });
const secretAnswer = JSON.stringify({ SecretString: apiKey, VersionStages: ['AWSCURRENT'] });

export interface StandIn {
  readonly url: string;
  close(): void;
}

export const startStandIn = async (): Promise<StandIn> => {
  const server = createServer((request, response) => {
    const target = String(request.headers['x-amz-target']);
    request.resume().on('end', () => {
      const body = target.startsWith('secretsmanager') ? secretAnswer : queryAnswer;
      response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end(body);
    });
  });
  // The connection of a candidate stays open between two rounds.
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
