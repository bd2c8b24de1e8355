import { spawnSync } from 'node:child_process';

// npm run test:repeat -- 20 test/transfers: the same tests again and again, until one fails. Without a path, all of them.
const [times = '10', ...paths] = process.argv.slice(2);
if (!/^[1-9]\d*$/.test(times)) {
  console.error('Usage: npm run test:repeat -- <times> [path …]');
  process.exit(2);
}
for (let run = 1; run <= Number(times); run++) {
  console.log(`run ${run} of ${times}`);
  // --bail stops at the first file that fails; Jest names its tests.
  const { status } = spawnSync('npm', ['test', '--', '--bail', ...paths], { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`failed in run ${run} of ${times}: the tests named above`);
    process.exit(1);
  }
}
console.log(`passed ${times} times`);
