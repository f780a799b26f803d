import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  type PolicyStatement,
  Role,
  type RoleProps,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** A role whose granted permissions are an inline policy: the CDK's own role needs a second resource for them. */
export class InlinePolicyRole extends Role {
  private readonly document: PolicyDocument;
  private readonly granted: string[] = [];

  constructor(scope: Construct, id: string, props: Omit<RoleProps, 'inlinePolicies'>) {
    const document = new PolicyDocument();
    super(scope, id, { ...props, inlinePolicies: { Grants: document } });
    this.document = document;
  }

  /** The actions of all statements. */
  get actions(): readonly string[] {
    return this.granted;
  }

  /** Adds the statement to the inline policy, which CDK renders after all statements are there. */
  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.document.addStatements(statement);
    this.granted.push(...statement.actions);
    return { statementAdded: true, policyDependable: this };
  }
}
