import { Duration, SecretValue } from 'aws-cdk-lib';
import {
  ApiDestination,
  Authorization,
  Connection,
  type EventBus,
  HttpMethod,
  type IApiDestination,
  type IEventBus,
  Rule,
  RuleTargetInput,
} from 'aws-cdk-lib/aws-events';
import { ApiDestination as ApiDestinationTarget } from 'aws-cdk-lib/aws-events-targets';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { InlinePolicyRole } from './inline-policy-role.ts';

/** The header with the secret, by which a receiver authenticates the registry. */
const secretHeader = 'X-Webhook-Secret';

interface WebhookProps {
  readonly bus: EventBus;
  /** The `source` of the events that are delivered. */
  readonly source: string;
  readonly deadLetters: IQueue;
  /** The https URL that receives each event. */
  readonly url: string;
  /** The secret for the header. CloudFormation reads it, and EventBridge stores it in a secret of its own. */
  readonly secretArn: string;
}

/** Posts each event to a URL. EventBridge retries for 24 hours, then sends the event to the dead-letter queue. */
export class Webhook extends Construct {
  constructor(scope: Construct, id: string, props: WebhookProps) {
    super(scope, id);
    const { bus, source, deadLetters, url, secretArn } = props;
    const connection = new Connection(this, 'Connection', {
      description: 'The secret by which the webhook authenticates the registry',
      authorization: Authorization.apiKey(secretHeader, SecretValue.secretsManager(secretArn)),
    });
    const destination = new ApiDestination(this, 'Destination', {
      description: 'The webhook',
      connection,
      endpoint: url,
      httpMethod: HttpMethod.POST,
    });
    new Rule(this, 'Rule', {
      description: 'Posts each event to the webhook',
      eventBus: bus as IEventBus,
      eventPattern: { source: [source] },
      targets: [
        new ApiDestinationTarget(destination as IApiDestination, {
          event: RuleTargetInput.fromEventPath('$.detail'),
          maxEventAge: Duration.hours(24),
          retryAttempts: 185,
          deadLetterQueue: deadLetters,
          eventRole: new InlinePolicyRole(this, 'Role', {
            assumedBy: new ServicePrincipal('events.amazonaws.com'),
          }),
        }),
      ],
    });
  }
}
