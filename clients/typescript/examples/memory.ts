import Anthropic from "@anthropic-ai/sdk";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";

import { Slowwave, StoreMemory } from "../src/index.js";

const slowwave = new Slowwave(process.env.SLOWWAVE!, process.env.KEY!);
const runner = new Anthropic().beta.messages.toolRunner({
  model: "claude-sonnet-4-6",
  max_tokens: 2_000,
  tools: [betaMemoryTool(new StoreMemory(slowwave))],
  messages: [{ role: "user", content: "Remember that I like tea." }],
});
console.log((await runner).content);
