import { ApiError, Slowwave } from "../src/index.js";

const slowwave = new Slowwave(process.env.SLOWWAVE!, process.env.KEY!);

await slowwave.memories.put("billing/refunds.md", "# Refunds\n\nRefunds are paid to the original card within 14 days.\n");
await slowwave.memories.put(
  "billing/refund-times.md",
  "# Refund times\n\nRefunds are paid to the original card within 14 days of the request.\n",
);
for (const hit of await slowwave.memories.search("refunds original card")) console.log(hit.path, hit.score);

await slowwave.sessions.append(
  "chat-42",
  [{ event_id: "1", kind: "user", text: "Remember: our invoices go to billing@example.com." }],
  true,
);

try {
  await slowwave.dreams.start();
} catch (error) {
  if (!(error instanceof ApiError) || error.kind !== "conflict") throw error;
  console.log(error.message); // the gate that is shut
}
const dream = await slowwave.dreams.start({ force: true }, "tonight");
const ended = await slowwave.dreams.wait(dream.id, 120);
console.log(ended.state, (await slowwave.dreams.log(dream.id)).text);

for await (const operation of slowwave.operations.list({ dream: dream.id })) {
  console.log(operation.kind, operation.reason);
  await slowwave.operations.approve(operation.id); // or reject, undo
}
console.log((await slowwave.dreams.undo(dream.id)).undone, "undone");
