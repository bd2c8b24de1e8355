import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const FILE = join(__dirname, 'support/extension-signatures.ts');
const EXPECTED = /@ts-expect-error/g;

let program: ts.Program | undefined;

/** Lines of the file of signatures that do not compile, if it says `text`. */
function faultyLines(text: string): number[] {
  const config = ts.readConfigFile('tsconfig.json', (path) => ts.sys.readFile(path)).config as object;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());
  const host = ts.createCompilerHost(options);
  const fromDisk = host.readFile.bind(host);
  host.readFile = (path) => (path === FILE ? text : fromDisk(path));
  program = ts.createProgram([FILE], { ...options, noEmit: true, incremental: false }, host, program);
  const source = program.getSourceFile(FILE)!;
  return [
    ...new Set(
      program.getSemanticDiagnostics(source).map(({ start }) => source.getLineAndCharacterOfPosition(start!).line),
    ),
  ];
}

it('a handler with a wrong signature does not compile, and a right one does', () => {
  const text = readFileSync(FILE, 'utf8');
  expect(faultyLines(text)).toEqual([]);
  const expected = text.match(EXPECTED)!.length;
  expect(expected).toBeGreaterThan(10);
  expect(faultyLines(text.replace(EXPECTED, 'here'))).toHaveLength(expected);
});
