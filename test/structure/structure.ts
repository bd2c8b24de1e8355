import { join, relative } from 'node:path';
import * as ts from 'typescript';

/** The code of the service as the TypeScript checker sees it: what there is, and what a journey through it can reach. */
export class Structure {
  readonly root = join(__dirname, '../..');
  private readonly program = ts.createProgram(this.config().fileNames, this.config().options);
  private readonly checker = this.program.getTypeChecker();
  /** Sources of the service, without specs, by path from the root. */
  readonly sources: ReadonlyMap<string, ts.SourceFile> = new Map(
    this.program
      .getSourceFiles()
      .map((file) => [relative(this.root, file.fileName), file] as const)
      .filter(([path]) => /^src\/.*(?<!\.spec)\.ts$/.test(path)),
  );

  /**
   * Files that a call of `entry` ("Class.method") can reach: those that declare a function, a method or a constructor
   * that runs on some branch. A call through an interface or an abstract class reaches no adapter: whoever is outside is
   * another journey.
   */
  reach(entry: string): string[] {
    const waiting: ts.Node[] = [this.find(entry)];
    const seen = new Set<ts.Node>(waiting);
    const files = new Set<string>();
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      files.add(this.pathOf(node));
      for (const next of this.calledIn(node)) {
        if (seen.has(next)) continue;
        seen.add(next);
        waiting.push(next);
      }
    }
    return [...files].sort();
  }

  /** Classes with `@Injectable()` or another decorator of Nest, with their public methods, those of a base included. */
  classes(): {
    readonly file: string;
    readonly name: string;
    readonly decorators: string[];
    readonly publicMethods: string[];
  }[] {
    const found: ReturnType<Structure['classes']> = [];
    for (const [file, source] of this.sources) {
      source.forEachChild((node) => {
        if (!ts.isClassDeclaration(node) || !node.name) return;
        const decorators = (ts.getDecorators(node) ?? []).map(({ expression }) =>
          (ts.isCallExpression(expression) ? expression.expression : expression).getText(),
        );
        const publicMethods = this.checker
          .getPropertiesOfType(this.checker.getTypeAtLocation(node))
          .filter(({ valueDeclaration }) => valueDeclaration && isPublicMethod(valueDeclaration))
          .map(({ name }) => name);
        found.push({ file, name: node.name.text, decorators, publicMethods });
      });
    }
    return found;
  }

  private find(entry: string): ts.Node {
    const [className, method] = entry.split('.');
    for (const statement of [...this.sources.values()].flatMap((source) => source.statements)) {
      if (!ts.isClassDeclaration(statement) || statement.name?.text !== className) continue;
      const found = statement.members.find((member) => member.name?.getText() === method);
      if (found) return found;
    }
    throw new Error(`${entry} does not exist: the journey begins somewhere else now`);
  }

  /** Functions of ours whose names stand in the body of a function: called there, or handed on to be called. */
  private *calledIn(node: ts.Node): Generator<ts.Node> {
    for (const child of descendants(bodyOf(node))) {
      if (!ts.isIdentifier(child) || ts.isTypeNode(child.parent)) continue;
      for (const declaration of this.declarationsOf(child)) {
        if (isFunctionWithBody(declaration) || isFunctionValue(declaration)) yield declaration;
        else if (ts.isClassDeclaration(declaration) && ts.isNewExpression(child.parent)) {
          yield* declaration.members.filter(ts.isConstructorDeclaration);
        }
      }
    }
  }

  private declarationsOf(name: ts.Identifier): ts.Declaration[] {
    const symbol = this.checker.getSymbolAtLocation(name);
    const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
    return (target?.declarations ?? []).filter((declaration) => this.sources.has(this.pathOf(declaration)));
  }

  private readonly pathOf = (node: ts.Node): string => relative(this.root, node.getSourceFile().fileName);

  private config(): ts.ParsedCommandLine {
    const { config } = ts.readConfigFile(join(this.root, 'tsconfig.build.json'), (path) => ts.sys.readFile(path)) as {
      config: object;
    };
    return ts.parseJsonConfigFileContent(config, ts.sys, this.root);
  }
}

function* descendants(node: ts.Node | undefined): Generator<ts.Node> {
  if (!node || ts.isTypeNode(node)) return;
  yield node;
  for (const child of childrenOf(node)) yield* descendants(child);
}

function childrenOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = [];
  node.forEachChild((child) => void children.push(child));
  return children;
}

/** Of a method without its decorators: they run at boot. */
function bodyOf(node: ts.Node): ts.Node | undefined {
  if (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isPropertyAssignment(node))
    return node.initializer;
  return ts.isFunctionLike(node) ? (node as ts.FunctionLikeDeclaration).body : node;
}

const isFunctionWithBody = (node: ts.Node): boolean =>
  ts.isFunctionLike(node) && (node as ts.FunctionLikeDeclaration).body !== undefined;

/** `const f = () => …`, `readonly f = () => …`, `{ f: () => … }`, and what a call made, as `bulkInsert(…)`. */
const isFunctionValue = (node: ts.Node): boolean =>
  (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isPropertyAssignment(node)) &&
  node.initializer !== undefined &&
  (ts.isArrowFunction(node.initializer) ||
    ts.isFunctionExpression(node.initializer) ||
    ts.isCallExpression(node.initializer));

function isPublicMethod(member: ts.Declaration): boolean {
  if (
    !ts.isMethodDeclaration(member) &&
    !ts.isGetAccessor(member) &&
    !(ts.isPropertyDeclaration(member) && member.initializer && ts.isArrowFunction(member.initializer))
  )
    return false;
  const hidden = ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected);
  return hidden === 0 && !LIFECYCLE.has(member.name.getText());
}

const LIFECYCLE = new Set([
  'onModuleInit',
  'onModuleDestroy',
  'onApplicationBootstrap',
  'onApplicationShutdown',
  'beforeApplicationShutdown',
]);
