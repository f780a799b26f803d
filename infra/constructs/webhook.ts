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

/** The header by which a receiver knows that the registry sends. */
const secretHeader = 'X-Webhook-Secret';

interface WebhookProps {
  readonly bus: EventBus;
  /** What the events on the bus that are delivered say they are from. */
  readonly source: string;
  readonly deadLetters: IQueue;
  /** The address that each event is posted to, by TLS. */
  readonly url: string;
  /** The secret that is sent along. CloudFormation reads it, and EventBridge keeps it in a secret of its own. */
  readonly secretArn: string;
}

/** Posts each event to an address elsewhere: tried for a day, then put among the dead letters. */
export class Webhook extends Construct {
  constructor(scope: Construct, id: string, props: WebhookProps) {
    super(scope, id);
    const { bus, source, deadLetters, url, secretArn } = props;
    const connection = new Connection(this, 'Connection', {
      description: 'The secret by which the webhook knows the registry',
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
