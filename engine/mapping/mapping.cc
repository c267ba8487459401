#include "engine/mapping/mapping.h"

#include <algorithm>
#include <array>
#include <mutex>

#include "engine/mapping/mapping_impl.h"
#include "engine/mapping/mapping_parser.h"
#include "engine/util/error.h"

namespace curlew::mapping {

namespace {

MappedField MetadataField(FieldKind kind) {
  MappedField f;
  f.path = std::string(KindName(kind));
  f.kind = kind;
  f.doc_values = kind != FieldKind::kId;
  f.index_options =
      kind == FieldKind::kId ? codec::IndexOptions::kDocs : codec::IndexOptions::kNone;
  return f;
}

const std::array<MappedField, 4>& MetadataFields() {
  static const auto* const fields = new std::array<MappedField, 4>{
      MetadataField(FieldKind::kId), MetadataField(FieldKind::kSeqNo),
      MetadataField(FieldKind::kPrimaryTerm), MetadataField(FieldKind::kVersion)};
  return *fields;
}

absl::StatusOr<std::shared_ptr<const Mapping>> Checked(MappingTree tree,
                                                       const MappingLimits& limits) {
  CURLEW_RETURN_IF_ERROR(CheckLimits(tree, limits));
  return std::make_shared<const MappingImpl>(std::move(tree));
}

}  // namespace

std::shared_ptr<const Mapping> Mapping::Empty() {
  auto root = std::make_shared<ObjectNode>();
  root->Freeze();
  MappingTree tree;
  tree.root = std::move(root);
  return std::make_shared<const MappingImpl>(std::move(tree));
}

absl::StatusOr<std::shared_ptr<const Mapping>> Mapping::Parse(
    std::string_view json, const analysis::AnalyzerRegistry& analyzers,
    const MappingLimits& limits) {
  CURLEW_ASSIGN_OR_RETURN(MappingTree tree, ParseMappingTree(json, MappingUse::kNew, analyzers));
  return Checked(std::move(tree), limits);
}

MappingImpl::MappingImpl(MappingTree tree) : tree_(std::move(tree)) {
  AddObject(*tree_.root);
  std::sort(fields_.begin(), fields_.end(),
            [](const MappedField* a, const MappedField* b) { return a->path < b->path; });
  for (const MappedField& f : MetadataFields()) by_path_.emplace(f.path, &f);
}

void MappingImpl::AddObject(const ObjectNode& object) {
  if (!object.path.empty()) objects_.insert(object.path);
  for (const ChildNode& child : object.children) {
    if (child.object != nullptr) {
      AddObject(*child.object);
    } else {
      AddField(*child.field);
    }
  }
}

void MappingImpl::AddField(const FieldNode& node) {
  by_path_.emplace(node.field.path, &node.field);
  fields_.push_back(&node.field);
  for (const auto& child : node.multi) AddField(*child);
}

absl::StatusOr<std::shared_ptr<const Mapping>> MappingImpl::Merge(
    std::string_view update_json, const analysis::AnalyzerRegistry& analyzers,
    const MappingLimits& limits) const {
  CURLEW_ASSIGN_OR_RETURN(const MappingTree update,
                          ParseMappingTree(update_json, MappingUse::kUpdate, analyzers));
  CURLEW_ASSIGN_OR_RETURN(MappingTree merged, MergeMappingTrees(tree_, update));
  return Checked(std::move(merged), limits);
}

std::string MappingImpl::ToJson() const { return MappingTreeToJson(tree_); }

const MappedField* MappingImpl::Find(std::string_view path) const {
  const auto at = by_path_.find(path);
  return at == by_path_.end() ? nullptr : at->second;
}

bool MappingImpl::IsObject(std::string_view path) const { return objects_.contains(path); }

struct MapperService::Impl {
  const MappingLimits limits;
  const analysis::AnalyzerRegistry& analyzers;
  const Persist persist;
  std::mutex update_mutex;  // one update at a time, over the persisting too
  mutable std::mutex mutex;
  std::shared_ptr<const Mapping> mapping;
};

MapperService::MapperService(std::shared_ptr<const Mapping> mapping, MappingLimits limits,
                             const analysis::AnalyzerRegistry& analyzers, Persist persist)
    : impl_(new Impl{limits, analyzers, std::move(persist), {}, {}, std::move(mapping)}) {}

MapperService::~MapperService() = default;

std::shared_ptr<const Mapping> MapperService::current() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->mapping;
}

absl::Status MapperService::Update(std::string_view update_json) {
  const std::lock_guard updating(impl_->update_mutex);
  const std::shared_ptr<const Mapping> before = current();
  CURLEW_ASSIGN_OR_RETURN(std::shared_ptr<const Mapping> after,
                          before->Merge(update_json, impl_->analyzers, impl_->limits));
  // Two documents often bring the same new field at the same time.
  const std::string json = after->ToJson();
  if (json == before->ToJson()) return absl::OkStatus();
  if (impl_->persist) CURLEW_RETURN_IF_ERROR(impl_->persist(json));
  const std::lock_guard lock(impl_->mutex);
  impl_->mapping = std::move(after);
  return absl::OkStatus();
}

}  // namespace curlew::mapping
