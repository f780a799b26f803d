import { CfnOutput, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  CfnGlobalTable,
  type ITableV2,
  ProjectionType,
  StreamViewType,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { formatKeyValue } from '../../shared/api/data-format.ts';
import {
  type Access,
  findTableDefinition,
  type TableAction,
  type TableId,
  tableIds,
  tables,
} from '../../shared/api/resources.ts';
import type { Settings } from '../config.ts';
import type { RegistryFunction } from './registry-function.ts';
import { chooseRemovalPolicy } from './removal-policy.ts';
import { toTitleCase } from './title-case.ts';

const toKey = (name: string) => ({ name, type: AttributeType.STRING });

/** Returns on-demand billing, with at most `maxReadUnits` read units a second. */
const chooseBilling = ({ maxReadUnits }: Settings): Billing =>
  Billing.onDemand(maxReadUnits === undefined ? {} : { maxReadRequestUnits: maxReadUnits });

/** The tables of the registry, with the keys and indexes of their definitions. */
export class RegistryTables extends Construct {
  private readonly byId: Readonly<Record<TableId, ITableV2>>;

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    this.byId = Object.fromEntries(
      tableIds.map((tableId) => [tableId, this.restoredOrOwn(tableId, settings)]),
    ) as Record<TableId, ITableV2>;
  }

  /** The tables by their ids. */
  get all(): Readonly<Record<TableId, ITableV2>> {
    return this.byId;
  }

  /** Returns one table. */
  of(tableId: TableId): ITableV2 {
    return this.byId[tableId];
  }

  /**
   * Grants the function its actions on each table, and sets the variables with the tables' names. The function may also read the
   * items with the formats of its tables.
   */
  bind(target: RegistryFunction, access: Access): void {
    const used = tableIds.filter((tableId) => access[tableId]);
    // A role has a limited size, so nothing is granted twice.
    const formatOnly = used.filter(
      (tableId) => !access[tableId]?.some((action) => action === 'BatchGetItem'),
    );
    if (formatOnly.length > 0) {
      target.allow(
        ['dynamodb:BatchGetItem'],
        formatOnly.map((tableId) => this.byId[tableId].tableArn),
        { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': formatKeyValue } },
      );
    }
    for (const tableId of used) {
      const actions = access[tableId] ?? [];
      target.setVariable(tables[tableId].env, this.byId[tableId].tableName);
      for (const action of actions) {
        this.grant(target, tableId, action);
      }
    }
  }

  /** Adds the names of the tables to the outputs of the stack. */
  addOutputs(): void {
    for (const [tableId, table] of Object.entries(this.byId)) {
      new CfnOutput(this, `${toTitleCase(tableId)}Name`, {
        value: table.tableName,
      }).overrideLogicalId(`${toTitleCase(tableId)}TableName`);
    }
  }

  /** Returns what CloudFormation cannot change in each own table without replacing it: logical id, keys and local indexes. */
  listFixed(): Readonly<Record<string, string>> {
    const stack = Stack.of(this);
    return Object.fromEntries(
      tableIds.flatMap((tableId) => {
        const resource = this.byId[tableId].node.defaultChild;
        if (!(resource instanceof CfnGlobalTable)) return [];
        const { partitionKey, sortKey, indexes = {} } = findTableDefinition(tableId);
        const keys = [partitionKey, sortKey].filter((key) => key !== undefined).join(',');
        const local = Object.entries(indexes).map((index) => index.join(':'));
        return [[tableId, [stack.getLogicalId(resource), keys, ...local.sort()].join(' ')]];
      }),
    );
  }

  private grant(target: RegistryFunction, tableId: TableId, action: TableAction): void {
    const { tableArn } = this.byId[tableId];
    const [, index] = action.split(':');
    if (index === undefined) target.allow([`dynamodb:${action}`], [tableArn]);
    else target.allow(['dynamodb:Query'], [`${tableArn}/index/${index}`]);
  }

  /** Returns the restored table that the settings name, else a table of the stack. The stack's former table is kept. */
  private restoredOrOwn(tableId: TableId, settings: Settings): ITableV2 {
    const restored = settings.restoredTables[tableId];
    if (restored === undefined) {
      return this.ownTable(tableId, settings) as ITableV2;
    }
    const tableStreamArn =
      settings.restoredStreams[tableId as keyof typeof settings.restoredStreams];
    return TableV2.fromTableAttributes(this, toTitleCase(tableId), {
      tableName: restored,
      ...(tableStreamArn !== undefined && { tableStreamArn }),
    }) as ITableV2;
  }

  private ownTable(tableId: TableId, settings: Settings): TableV2 {
    const definition = findTableDefinition(tableId);
    const { partitionKey, sortKey, indexes, globalIndexes, expires, streamed } = definition;
    return new TableV2(this, toTitleCase(tableId), {
      partitionKey: toKey(partitionKey),
      ...(sortKey && { sortKey: toKey(sortKey) }),
      localSecondaryIndexes: Object.entries(indexes ?? {}).map(([indexName, attribute]) => ({
        indexName,
        sortKey: toKey(attribute),
      })),
      globalSecondaryIndexes: Object.entries(globalIndexes ?? {}).map(([indexName, index]) => ({
        indexName,
        partitionKey: toKey(index.partitionKey),
        sortKey: toKey(index.sortKey),
        projectionType: ProjectionType.INCLUDE,
        nonKeyAttributes: [...index.projected],
      })),
      ...(expires && { timeToLiveAttribute: expires }),
      ...(streamed && { dynamoStream: StreamViewType[streamed] }),
      billing: chooseBilling(settings),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: settings.environment === 'production',
      removalPolicy: chooseRemovalPolicy(settings),
    });
  }
}
