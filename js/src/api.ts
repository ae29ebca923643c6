export { init, memoryBytes, type ModuleSource } from "./runtime.js";
export { GrammarError, type ErrorCode, type Fix, type Note, type TextRange } from "./errors.js";
export { TokenizerInfo, type FileBytes, type TokensOptions } from "./tokenizer-info.js";
export { Grammar, strictJSONSchema } from "./grammar.js";
export { CompiledGrammar, GrammarCompiler } from "./compiler.js";
export {
  allocateTokenBitmask,
  applyTokenBitmaskInplace,
  BatchGrammarMatcher,
  bitmaskWords,
  countBitmask,
  GrammarMatcher,
  isTokenInBitmask,
  KbnfEngine,
  type Capture,
  type CompletionPart,
  type DraftStep,
  type Expectation,
  type KbnfResult,
  type TokenExplanation,
} from "./matcher.js";
export { checkGrammar, checkRegex, checkResponseFormat, checkSchema, checkStructuralTag, explainRefusal, type Diagnostic } from "./diagnostics.js";
export { ReplyParser, type GrammarReply, type Reply, type ReplyCall, type ReplyCapture, type ReplyEvent } from "./replies.js";
export { languageNames, lineColumn, structuralTagForTools, toolStyles, version } from "./tools.js";
export { WorkerCompiledGrammar, WorkerCompiler, WorkerMatcher } from "./worker-compiler.js";
export { useZod, type JSONText, type SchemaLike } from "./schemas.js";
export * from "./declared.js";
