import { describeSource } from '../session/settings.ts';
import { happeningWords } from './happening-words.ts';
import { licenseWords } from './license-words.ts';
import { packageWords } from './package-words.ts';
import type { Words } from './route-words.ts';
import { scanWords } from './scan-words.ts';
import { checkPolicy, testPolicy } from './test-policy.ts';
import { vulnerabilityWords } from './vulnerability-words.ts';

/** The words of every route. A route without does not compile. */
export const words: Words = {
  showService: {
    command: 'status',
    examples: ['status', 'status --json'],
    present: (service, { url, token }) => ({
      url: url.value,
      ...service,
      token: token ? `from ${token.source}` : 'not set',
    }),
  },
  showCaller: {
    command: 'whoami',
    examples: ['whoami', 'whoami --json'],
    present: (caller, { url, token }) => ({
      url: url.value,
      url_from: describeSource(url),
      ...caller,
      token_from: token ? describeSource(token) : null,
    }),
  },
  ...packageWords,
  ...happeningWords,
  ...scanWords,
  ...licenseWords,
  ...vulnerabilityWords,
  checkPackages: {
    command: 'check',
    examples: [
      'check',
      'check package-lock.json Dockerfile --allow pending',
      'check --registry-host mirror.example.com',
      'check --submit --because "The importer needs it"',
      'check --baseline known.json --sarif check.sarif',
    ],
    isOwn: true,
  },
  admitPod: {
    command: 'admit',
    examples: ['admit review.json'],
    body: 'file argument',
  },
  previewPolicy: {
    command: 'policy test',
    examples: ['policy test infra/review-policy.json', 'policy test policy.json --jsonl'],
    hidden: ['after', 'limit'],
    body: 'file argument',
    fit: checkPolicy,
    run: testPolicy,
  },
};
