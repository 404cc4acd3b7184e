// A reporter for Node's test runner. It prints the numbers of passed and failed tests, and the
// failed tests in the format of Node's `spec` reporter.
import { Readable } from "node:stream";
import { spec } from "node:test/reporters";

const FAILED = "✖ failing tests:";

export default async function* failures(events) {
  const [counts, leaks] = [[], []];
  async function* failed() {
    for await (const event of events) {
      const { message = "" } = event.data ?? {};
      if (event.type === "test:fail") yield event;
      else if (/^(tests|pass|fail|cancelled|skipped) \d/.test(message)) counts.push(`# ${message}\n`);
      else if (message.startsWith("Error: ")) leaks.push(`${message}\n`);
    }
  }
  let report = "";
  for await (const text of Readable.from(failed()).compose(new spec())) report += text;
  if (report.includes(FAILED)) yield report.slice(report.indexOf(FAILED));
  if (leaks.length) process.exitCode = 1; // if an error happens after the end of its test, Node doesn't count the error as a failure
  yield* [...leaks, ...counts];
}
