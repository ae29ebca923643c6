// VocabularyStore: what the engine has found out about a vocabulary, for all grammars of the process.
#ifndef WEIR_SRC_ENGINE_FACTS_VOCABULARY_STORE_H_
#define WEIR_SRC_ENGINE_FACTS_VOCABULARY_STORE_H_

#include "engine/facts/facts_store.h"
#include "engine/facts/ready_groups.h"
#include "vocab/vocabulary.h"

namespace weir::engine {

struct VocabularyStore : vocab::VocabularyExtension {
  static constexpr Slot kSlot = Slot::kEngine;
  FactsStore facts;
  GroupsStore groups;
};

}  // namespace weir::engine

#endif  // WEIR_SRC_ENGINE_FACTS_VOCABULARY_STORE_H_
