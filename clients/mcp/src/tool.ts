/** An operation of the service that agents may use. */
export interface ApiTool {
  readonly name: string;
  readonly description: string;
  /** It moves money: first dry, and then only as it was confirmed. */
  readonly isMoney: boolean;
  /** Where the client has it: `duka[resource][method](…)`. */
  readonly resource: string;
  readonly method: string;
  /** Names of the arguments that stand in the path, in their order. */
  readonly path: readonly string[];
  /** As what the other arguments go. */
  readonly sends: 'body' | 'query' | null;
  readonly isPaged: boolean;
  readonly canWait: boolean;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Record<string, object>;
    readonly required: string[];
    readonly additionalProperties: boolean;
  };
}
