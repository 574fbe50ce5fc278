export { activationHistory, type ActivationRecord } from './agent/activation-history.js';
export type { ActivatedBy, Activation } from './agent/activation.js';
export type { AgentOptions, AgentPorts, AgentRun, AskOptions, RunAnswer } from './agent/agent-run.js';
export type { BudgetLimits, BudgetSpent, RunTotals, StopReason } from './agent/budget.js';
export type { Clock, Timer } from './agent/clock.js';
export type { DebugPort } from './agent/developer-notes.js';
export { continueRun } from './agent/continue-run.js';
export {
  renderCatalogue,
  type Catalogue,
  type CatalogueCounts,
  type CatalogueOptions,
  type CatalogueSkills,
  type TokenPorts,
} from './agent/context/catalogue.js';
export { type CatalogueLevel } from './agent/context/catalogue-levels.js';
export type { CatalogueRules, CatalogueStyle } from './agent/context/catalogue-style.js';
export {
  composeRequest,
  type ComposedRequest,
  type ComposeOptions,
  type RequestParts,
} from './agent/context/compose-request.js';
export { estimateTokens } from './agent/context/estimate-tokens.js';
export { planCompaction, type Compaction, type CompactionOptions } from './agent/context/plan-compaction.js';
export {
  renderSkillBody,
  type RenderBodyOptions,
  type RestReader,
  type RenderedBody,
  type SkillBody,
} from './agent/context/render-skill-body.js';
export { defaultLimits, noLimit } from './agent/fill-limits.js';
export { isRunId } from './agent/run-id.js';
export { effectiveEvents, foldEvents } from './agent/fold-events.js';
export { initialState } from './agent/initial-state.js';
export type { RecordedRunner, RecordedSetup, RecordedTool } from './agent/recorded-setup.js';
export { reduceEvent } from './agent/reduce-event.js';
export { runAgent } from './agent/run-agent.js';
export type {
  KeptText,
  LostSpending,
  RecordedApproval,
  RecordedError,
  RecordedJudgement,
  RecordedOptions,
  RecordedRequest,
  RunEvent,
  RunEventBody,
  RunEventType,
  RunTerms,
  UserRequest,
} from './agent/run-event.js';
export type { RunSettings } from './agent/run-settings.js';
export { createMemoryJournal, type MemoryJournal } from './agent/memory-journal.js';
export type { RunJournal } from './agent/run-journal.js';
export { createRedactor, type RedactorOptions } from './agent/record/create-redactor.js';
export { redactNothing } from './agent/record/redaction.js';
export { formatRunEvent } from './agent/record/parse-run-event.js';
export { parseRunSummary } from './agent/record/parse-run-summary.js';
export { readRunEvents, type ReadRun, type ReadRunOptions } from './agent/record/read-run-events.js';
export { recordLimits } from './agent/record/record-limits.js';
export { renderFinal } from './agent/record/render-final.js';
export { chainStart, sealEvent, type EventPlace } from './agent/record/seal-event.js';
export { secretValuesOf } from './agent/record/secret-values-of.js';
export type { ApprovalSummary, ScriptSummary, ToolSummary } from './agent/record/summarise-actions.js';
export type { RequestSummary } from './agent/record/summarise-requests.js';
export { findBreaches, type Breach } from './agent/record/find-breaches.js';
export { formatRunSummary, summariseRun, type RunStatus, type RunSummary } from './agent/record/summarise-run.js';
export type { ResourceSummary, SkillSummary } from './agent/record/summarise-skills.js';
export type { UsageSummary } from './agent/record/summarise-usage.js';
export { replayRun, type ReplayOptions, type ReplayReport } from './agent/replay/replay-run.js';
export { resumeRun } from './agent/replay/resume-run.js';
export type { RunRecord } from './agent/replay/run-record.js';
export { startRun } from './agent/start-run.js';
export { unlockedTools, type OfferedTool, type ToolPorts } from './agent/unlocked-tools.js';
export type { NamedTool, SessionTools, UnlockOptions } from './agent/unlocked-tools.js';
export type { AuditEntry, ConversationItem, ReadResource, RunPhase, RunState } from './agent/run-state.js';
export { createSkillSession } from './agent/create-skill-session.js';
export type { SessionUse } from './agent/judge-in-session.js';
export type {
  ActivateOptions,
  PreparedRequest,
  SessionRequest,
  SkillSession,
  SkillSessionOptions,
  SkillSessionPorts,
} from './agent/skill-session.js';

export { errorCodes, type ErrorCode, type ErrorKind } from './errors/codes.js';
export { expectOptions, type ExpectedOptions } from './errors/expect-options.js';
export { quoted } from './errors/quoted.js';
export { suggestNames } from './errors/suggest-names.js';
export { SkillsError, type SkillsErrorOptions } from './errors/skills-error.js';
export { checkAborted, untilAborted } from './errors/until-aborted.js';
export { escapedJson } from './errors/escaped-json.js';
export { visibleLines, visibleText } from './errors/visible-text.js';
export { textWithoutCredentials, withoutCredentials } from './errors/without-credentials.js';

export { addressKind, type AddressKind } from './net/address-kind.js';

export { defaultArchiveLimits, type ArchiveLimits } from './pack/archive-limits.js';
export { type ArchiveRefusal } from './pack/archive-refusal.js';
export {
  formatSearchCatalogue,
  formatSearchPointer,
  parseSearchCatalogue,
  parseSearchPointer,
  searchCatalogueLimit,
  searchCatalogueLocation,
  type SearchPointer,
} from './pack/catalogue-document.js';
export { comparePaths } from './digest/compare-paths.js';
export { digestHex, type Sha256 } from './digest/digest.js';
export { isDigest, type Digest } from './digest/is-digest.js';
export { treeDigestOf, type TreeFile } from './digest/tree-digest.js';
export {
  discoveryIndexPath,
  discoverySchemaId,
  formatDiscoveryIndex,
  parseDiscoveryIndex,
  type DiscoveryIndex,
  type DiscoverySkill,
  type SkippedDiscoverySkill,
} from './pack/discovery-index.js';
export { lockFileName, manifestFileName, projectFileName } from './pack/file-names.js';
export {
  emptyLockFile,
  formatLockFile,
  parseLockFile,
  type LockedContent,
  type LockEntry,
  type LockFile,
} from './pack/lock-file.js';
export { mergeLockFiles, type LockClash, type MergedLockFile } from './pack/merge-lock-files.js';
export {
  formatManifest,
  parseManifest,
  type ManifestSkill,
  type PackManifest,
  type PackRequirements,
} from './pack/manifest.js';
export type {
  ArchiveFile,
  ArchiveFormat,
  ArchiveInput,
  ArchiveReader,
  ArchiveWriter,
  OpenArchiveOptions,
  OpenedArchive,
  PackFileContent,
} from './pack/pack-archive.js';
export {
  formatPackDocument,
  formatVersionRecord,
  parsePackDocument,
  parseVersionRecord,
  type ArchiveRecord,
  type PackDocument,
  type PackHead,
  type VersionRecord,
} from './pack/pack-document.js';
export { type PackFile } from './pack/pack-file.js';
export { isPackNamePart } from './pack/pack-name-part.js';
export { isPackName, parsePackName, splitPackName, type PackName } from './pack/pack-name.js';
export { findPathConflict, type PathConflict } from './pack/path-conflict.js';
export { foldPath } from './digest/fold-path.js';
export { judgePath, type PathLimits, type PathProblem } from './pack/pack-path.js';
export { pathProblems } from './pack/path-problems.js';
export type {
  BlobReadOptions,
  BlobRequest,
  BlobSink,
  PackCurator,
  PackPublisher,
  PackRegistry,
  PackSummary,
  PublishedPack,
  PublishRequest,
  RegistryReadOptions,
  SearchOptions,
  VersionReference,
} from './pack/pack-registry.js';
export { parsePackSpec, type PackSpec } from './pack/pack-spec.js';
export { parseProjectFile, withProjectPacks, type ProjectFile } from './pack/project-file.js';
export { formatReceipt, parseReceipt, type InstallReceipt } from './pack/receipt.js';
export {
  formatRegistryInfo,
  formatRevocations,
  parseRegistryInfo,
  parseRevocations,
  type RegistryInfo,
  type Revocation,
} from './pack/registry-info.js';
export { searchCatalogue } from './pack/search-catalogue.js';
export { isTagName } from './pack/tag-name.js';
export {
  defaultTagOf,
  describeVersion,
  isSameContent,
  offeredVersion,
  summarisePack,
  type DescribedVersion,
  type PublicationFacts,
} from './pack/version-record.js';
export {
  compareVersions,
  isPrerelease,
  isVersion,
  isVersionRange,
  newestInRange,
  parseVersion,
  satisfiesRange,
} from './pack/version.js';

export { cacheRegistry, type CacheRegistryOptions, type CacheRegistryPorts } from './registry/cache-registry.js';
export {
  createSkillRegistry,
  type SkillRegistryOptions,
  type SkillRegistryPorts,
} from './registry/create-skill-registry.js';
export { createSkillView, type SkillViewOptions } from './registry/create-skill-view.js';
export { filterRegistry, type FilterRegistryOptions } from './registry/filter-registry.js';
export { layerRegistries, type RegistryLayer } from './registry/layer-registries.js';
export {
  layerSkills,
  skillScopes,
  type LayeredSkills,
  type LayerSkillsOptions,
  type SkillConflict,
  type SkillScope,
  type SkillSource,
} from './registry/layer-skills.js';
export { makeExcerpt, type MakeExcerptOptions, type ReadFile } from './registry/make-excerpt.js';
export { loadQueryVocabulary } from './registry/search/load-query-vocabulary.js';
export { makeSkillSearch } from './registry/search/make-skill-search.js';
export type { QueryVocabulary } from './registry/search/query-vocabulary.js';
export {
  createSkillSearch,
  type FindOptions,
  type SearchableSkill,
  type SkillSearch,
} from './registry/search/skill-search.js';
export { measureSkill, type MeasureOptions, type MeasurePorts } from './registry/measure-skill.js';
export { measureSkills } from './registry/measure-skills.js';
export { memorySkills, type MemorySkillsOptions } from './registry/memory-skills.js';
export { prefixRegistry, type PrefixRegistryOptions } from './registry/prefix-registry.js';
export { selectSkill, type OwnedSkill } from './registry/select-skill.js';
export type {
  ReadBytesOptions,
  RegistryOptions,
  SkillBackend,
  SkillFile,
  SkillListing,
} from './registry/skill-backend.js';
export type {
  IndexProblem,
  IndexProblemCode,
  ShadowedSkill,
  SkillEntry,
  SkillIndex,
  SkillReference,
} from './registry/skill-entry.js';
export {
  defaultExcerptLimits,
  type ExcerptLimits,
  type Heading,
  type SkillExcerpt,
  type SkillSelection,
} from './registry/skill-excerpt.js';
export type { SkillMeasure } from './registry/skill-measure.js';
export type {
  RegistryChange,
  SkillBytesOptions,
  SkillReadOptions,
  SkillMatch,
  SkillRegistry,
  SkillSearchOptions,
  SkillText,
} from './registry/skill-registry.js';
export type { DisabledSkill, DisableOptions, SkillView, SwitchedBy, SwitchOptions } from './registry/skill-view.js';

export type { ActionSkill, AgentAction, AgentActionKind, Decision } from './model/action.js';
export { actionForm } from './model/action-form.js';
export { applyPlanUpdate } from './model/apply-plan-update.js';
export {
  createDecisionStream,
  type DecisionStream,
  type DecisionStreamOptions,
  type SpokenAction,
  type StreamedText,
} from './model/decision-stream.js';
export { agentActionKinds, decisionSchema } from './model/decision-schema.js';
export type {
  DecideOptions,
  ModelAdapter,
  ModelAnswer,
  ModelMessage,
  ModelRequest,
  ModelUsage,
} from './model/model-adapter.js';
export { maxAnswerLength, parseDecision, type DecisionReading } from './model/parse-decision.js';
export type { Plan, PlanOperation, PlanStatus, PlanStep, PlanUpdate } from './model/plan.js';

export { allowedToolsMode, defaultAllowedToolsMode, type SkillOrigin } from './policy/allowed-tools-mode.js';
export type {
  ApprovalDecision,
  ApprovalReach,
  ApprovalRequest,
  ApprovalScope,
  Approver,
  SkillChanges,
} from './policy/approver.js';
export { checkPermissions, type CheckPermissionsOptions } from './policy/check-permissions.js';
export { couldBeUsed } from './policy/could-be-used.js';
export { describeToolRule, type DescribedRule } from './policy/describe-tool-rule.js';
export {
  judgeToolUse,
  type JudgeContext,
  type Judgement,
  type JudgingSkill,
  type RefusedBy,
} from './policy/judge-tool-use.js';
export { namedTools } from './policy/named-tools.js';
export { defaultToolRules, type AllowedToolsMode, type Permissions, type ToolRules } from './policy/permissions.js';
export { rememberApprovals } from './policy/remember-approvals.js';
export type { RiskClass } from './policy/risk-class.js';
export { rulesWithoutTool, type RuleWithoutTool } from './policy/rules-without-tool.js';
export type { CommandLine, SimpleCommand } from './policy/shell/command-line.js';
export { readCommandLine } from './policy/shell/read-command-line.js';
export type { JudgedScript, JudgedTool, PolicySkill, ToolUse } from './policy/tool-use.js';

export { canonicalJson } from './json/canonical-json.js';
export { readDocument, type ReadDocumentOptions } from './json/json-document.js';
export type { JsonObject, JsonValue } from './json/json-value.js';
export { parseJson } from './json/parse-json.js';
export { recordable } from './json/recordable.js';

export { splitAllowedTools, type SplitTools } from './skill/allowed-tools.js';
export { lintSkill, type LintedFile, type LintSkillOptions, type PackingRules } from './skill/lint-skill.js';
export { findPlaceholders, skillTemplate } from './skill/skill-template.js';
export { parseSimpleSkillHead } from './skill/parse-simple-skill-head.js';
export { recallSkillHead, type RecalledPlace } from './skill/recall-skill-head.js';
export { parseSkill, parseSkillHead } from './skill/parse-skill.js';
export { parseSkillHeadLazily, parseSkillLazily } from './skill/parse-skill-lazily.js';
export type { ParseSkillHeadOptions, ParseSkillOptions } from './skill/parse-skill-options.js';
export { readSkill } from './skill/read-skill.js';
export type { Skill, SkillHead, SkillProfile } from './skill/skill.js';
export type { SkillParse } from './skill/skill-parse.js';
export {
  skillDiagnostics,
  type SkillDiagnostic,
  type SkillDiagnosticCode,
  type SkillDiagnosticWeight,
  type SkillSeverity,
} from './skill/skill-diagnostic.js';
export { defaultSkillLimits, type SkillLimits } from './skill/skill-limits.js';
export { isSkillName, suggestSkillName } from './skill/skill-name.js';
export type { SkillRules } from './skill/skill-rules.js';

export type { Confinement, ScriptOutcome, ScriptRequest, ScriptRunner, ScriptStream } from './tool/script-runner.js';
export { defineTool, type ToolDefinition, type ToolInputSchema } from './tool/define-tool.js';
export type { DefineToolPorts, ToolOutcome } from './tool/make-tool.js';
export type { SkillFileText, SkillToolSession, WantedSkillFile } from './tool/skill-tool-session.js';
export { createSkillTools, offerSkillTools, type SkillToolPreset, type SkillToolsOptions } from './tool/skill-tools.js';
export type { Tool, ToolContext, ToolDescription } from './tool/tool.js';
export type { ToolOutput, ToolResult } from './tool/tool-result.js';
